"""Item parameters: from the newest calibration or, for questions it doesn't have, from the editor's label."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np
from django.conf import settings
from django.core.cache import cache
from django.db.models import F, Func, IntegerField, QuerySet
from django.db.models.functions import Coalesce

from practice.measurement.ability.rules.belief import (
    POPULATION,
    ItemBelief,
    Population,
    Vector,
    guess_rate,
    label_belief,
)
from practice.measurement.ability.rules.pass_chance import Domain, Mock, item_curve, mean_curve
from practice.sessions.reads.units import unit_at
from practice.sessions.scoring.rules import needed_to_pass
from practice.start.reads.picking import live_versions, weights_of
from questions.catalogue.models import Blueprint, Exam
from questions.catalogue.rules.shares import allocate
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion
from questions.versions.statistics.models import Calibration, ItemParameters

USUAL_CENTRE = -0.5
"""Before any calibration: learners are half a logit above a question labelled medium."""


class OptionCount(Func):
    function = "JSON_ARRAY_LENGTH"
    output_field = IntegerField()

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """The same under PostgreSQL's name for it."""
        return self.as_sql(compiler, connection, function="JSONB_ARRAY_LENGTH", **context)


@dataclass(frozen=True)
class Asked:
    """A version as the model sees it.

    ``measured`` is the version whose parameters it shares; ``unit`` and ``pool`` determine how a mock draws it.
    """

    version: int
    measured: int
    domain: int
    difficulty: str
    options: int
    choose: int
    unit: int
    pool: str


@dataclass(frozen=True, eq=False)
class Bank:
    """The beliefs about an exam's questions under one calibration, or before any."""

    exam: Exam
    calibration: Calibration | None
    _weights: dict[int, list[tuple[int, Decimal]]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def blueprint(self) -> Blueprint:
        """The current blueprint, used for a fresh mock."""
        return self.exam.blueprints.get(is_current=True)

    @property
    def population(self) -> Population:
        """The prior for anyone before the first answer, including the error of the newcomers' mean."""
        run = self.calibration
        if run is None:
            return POPULATION
        general = POPULATION.general + run.newcomer_error**2
        growth = {"growth_mean": run.growth_mean, "growth": run.growth_variance}
        return replace(POPULATION, mean=run.newcomer_mean, general=general, **growth)

    def mock(self, blueprint: Blueprint, met: Container[int] = frozenset()) -> Mock | None:
        """The next mock under a blueprint, for a learner who has seen these units; None if a domain has no live
        question."""
        weights = self._weights.get(blueprint.pk) or self._weights.setdefault(blueprint.pk, weights_of(blueprint))
        counts = {d: count for d, count in allocate(weights, blueprint.question_count).items() if count}
        if not set(counts) <= set(self.domains):
            return None
        needed = needed_to_pass(blueprint.question_count, blueprint.pass_mark)
        return Mock(counts, needed, {domain: self.domains[domain].drawn(n, met) for domain, n in counts.items()})

    @cached_property
    def domains(self) -> dict[int, Domain]:
        """By domain, what a mock can draw. A guest's monthly share of the reserved units is random, so equally hard.

        Each process keeps an exam's for a minute: for 30,000 questions, they take half a second.
        """
        run = self.calibration.pk if self.calibration else None
        name = cache.get_or_set(f"curves:{self.exam.pk}", lambda: secrets.token_hex(8), settings.BANK_COUNT_SECONDS)
        kept = _kept.get(self.exam.pk)
        if kept and kept[:2] == (name, run):
            return kept[2]
        found = self._domains()
        _kept[self.exam.pk] = name, run, found
        return found

    def _domains(self) -> dict[int, Domain]:
        rows = asked(live_versions(self.exam).filter(is_basic=False))
        beliefs = self.beliefs(rows)
        curves: dict[int, dict[tuple[int, bool], list[Vector]]] = {}
        known: dict[ItemBelief, Vector] = {}
        for row in rows:
            among, belief = curves.setdefault(row.domain, {}), beliefs[row.version]
            # Until they are measured, hundreds of questions share the same belief.
            curve = known[belief] if belief in known else known.setdefault(belief, item_curve(belief))
            among.setdefault((row.unit, row.pool == Pool.RESERVED), []).append(curve)
        return {domain: _domain(among) for domain, among in curves.items()}

    def beliefs(self, rows: Iterable[Asked]) -> dict[int, ItemBelief]:
        """By version id, in at most one query."""
        rows = list(rows)
        found = self._parameters({row.measured for row in rows})
        return {row.version: self._belief(row, found.get(row.measured)) for row in rows}

    def _parameters(self, versions: set[int]) -> Mapping[int, ItemParameters]:
        if self.calibration is None:
            return {}
        items = ItemParameters.objects.filter(calibration=self.calibration, version_id__in=versions)
        return {item.version_id: item for item in items}

    def _belief(self, row: Asked, found: ItemParameters | None) -> ItemBelief:
        if found is None:
            centre = self.calibration.centre if self.calibration else USUAL_CENTRE
            return label_belief(row.difficulty, row.options, row.choose, centre)
        guess = guess_rate(row.options, row.choose)
        return ItemBelief(found.difficulty, found.difficulty_error**2, found.slope, guess)


def _domain(curves: Mapping[tuple[int, bool], Sequence[Vector]]) -> Domain:
    """A domain from the curves of each unit's questions, of which a mock draws one."""
    units = [unit for unit, _ in curves]
    reserved = np.array([is_reserved for _, is_reserved in curves])
    return Domain(units, reserved, np.array([mean_curve(np.array(each)) for each in curves.values()]))


_kept: dict[int, tuple[str | None, int | None, dict[int, Domain]]] = {}
"""By exam id, what this process worked out last: under which name, with which calibration."""


class Banks:
    """An exam's bank at any time; what several times have in common is read once."""

    def __init__(self, exam: Exam) -> None:
        self.exam = exam
        self._runs = list(Calibration.objects.filter(exam=exam).order_by("made_at", "pk"))
        self._banks: dict[int, Bank] = {}

    def at(self, moment: dt.datetime) -> Bank:
        """The bank as believed at that time: with the newest calibration made by then."""
        place = sum(run.made_at <= moment for run in self._runs)
        if place not in self._banks:
            self._banks[place] = Bank(self.exam, self._runs[place - 1] if place else None)
        return self._banks[place]


def asked(versions: QuerySet[QuestionVersion]) -> list[Asked]:
    """These versions as the model sees them, in one query."""
    columns = (
        "pk", Coalesce("measured_as_id", "pk"), "domain_id", "difficulty", OptionCount(F("options")), "choose",
        unit_at("question"), "pool",
    )  # fmt: skip
    return [Asked(*row) for row in versions.values_list(*columns)]
