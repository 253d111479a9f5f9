"""Which question a check asks next."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import F
from django.db.models.functions import Coalesce

from practice.measurement.calibration.reads import asked
from practice.readiness.check.reads.own import Own
from practice.readiness.check.rules import (
    CANDIDATES,
    EXPOSED,
    MEASURED_ANSWERS,
    MEASURED_UNITS,
    most_telling,
    next_domain,
)
from practice.sessions.models import PracticeSession
from practice.sessions.reads.units import seen_units, units_of
from practice.start.reads.fitting import DrillChoice, fitting
from practice.start.reads.picking import (
    PICKED,
    PRIME,
    Pick,
    Versions,
    available,
    one_of_a_unit,
    scrambled,
    weights_of,
    with_past,
)
from questions.versions.models.versions import QuestionVersion
from questions.versions.statistics.models import ItemParameters


def coming(session: PracticeSession, own: Own) -> Pick | None:
    """The next question: from the domain furthest behind its share, a unit new to this learner; None if none is left.

    Random, unless the domain is measured (``MEASURED_UNITS``): then, of CANDIDATES drawn from those this check may
    show, the one most informative about this learner.
    """
    if session.blueprint is None:
        return None
    items = session.items.all()
    rows = fitting(session.learner, session.exam, DrillChoice()).filter(is_basic=False)
    rows = rows.exclude(unit__in=seen_units(session.learner)).exclude(unit__in=units_of(items))
    given: dict[int, int] = {}
    for asked_in in items.values_list("version__domain", flat=True):
        given[asked_in] = given.get(asked_in, 0) + 1
    domain = next_domain(weights_of(session.blueprint), given, available(rows))
    if domain is None:
        return None
    # The check's own number, so that each check shows a different part of the bank.
    seed = session.uuid.int % 2**48
    rows = rows.filter(domain_id=domain)
    telling = _telling(rows, own, domain, seed, given)
    chosen = rows.filter(pk=telling) if telling else one_of_a_unit(rows, seed + 2)
    row = with_past(chosen, session.learner).order_by(scrambled(seed), "pk").values_list(*PICKED).first()
    return Pick.of(row) if row else None


def _telling(rows: Versions, own: Own, domain: int, seed: int, given: Mapping[int, int]) -> int | None:
    """The id of the most informative version; None if the domain isn't measured or nothing may be shown."""
    if own.bank.calibration is None:
        return None
    known = ItemParameters.objects.filter(calibration=own.bank.calibration, n__gte=MEASURED_ANSWERS)
    measured = rows.annotate(root=Coalesce(F("measured_as_id"), F("pk"))).filter(root__in=known.values("version"))
    if available(measured).get(domain, 0) + given.get(domain, 0) < MEASURED_UNITS:
        return None
    units = one_of_a_unit(measured, seed + 2).annotate(place=scrambled(seed + 1))
    may_be_shown = units.filter(place__lt=int(EXPOSED * PRIME))
    drawn = may_be_shown.order_by(scrambled(seed + 3 + sum(given.values())))
    ids = list(drawn.values_list("pk", flat=True)[:CANDIDATES])
    if not ids:
        return None
    beliefs = own.bank.beliefs(asked(QuestionVersion.objects.filter(pk__in=ids)))
    return ids[most_telling(own.state, domain, [beliefs[version] for version in ids], own.bank.population)]
