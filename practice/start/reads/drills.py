"""A drill's contents: the questions that are drawn from those its choices allow."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner
from practice.reviews.reads import Today, done_today, due_cards, left_today
from practice.sessions.models import SessionItem
from practice.sessions.reads.shown import seen_items
from practice.start.reads.bank import OF_ONE_LABEL, large_bank
from practice.start.reads.fitting import Draw, DrillChoice, Fitting, Part, fitting
from practice.start.reads.past import COLUMNS, SPARE, Past
from practice.start.reads.picking import (
    PICKED,
    Pick,
    among,
    factors,
    first_of_each,
    of_units,
    one_each,
    placed,
    with_past,
)
from practice.start.rules import Order, State
from questions.catalogue.models import BlueprintDomain, Exam
from questions.catalogue.rules.shares import allocate
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion

# Drawn before sorting by domain: twice the longest drill (MAX_DRILL).
WEAK_POOL = 200


def pick_drill(
    learner: Learner, exam: Exam, choice: DrillChoice, seed: int, now: dt.datetime, without: int | None = None
) -> list[Pick]:
    """At most ``size`` matching versions, one per unit, in the chosen order, otherwise random."""
    size = choice.size - (1 if without else 0)
    if choice.is_review:
        return _due(learner, exam, choice, size, now)
    draw = Draw(Fitting.of(learner, exam, choice).in_state(choice), (without,) if without else ())
    past = Past.of(learner, exam) if _is_sampled(choice) and choice.order != Order.WEAK else None
    if past:
        picks = _by_past(exam, past, draw, choice, seed, size)
        if len(picks) == size:
            return picks
    if choice.order == Order.GUIDE:
        return _as_guide(exam, draw, choice, seed, size)
    if choice.order == Order.WEAK:
        return _weak_first(learner, exam, draw, choice, seed)[:size]
    sample = _sample(exam, draw, choice, seed, size)
    if choice.order == Order.UNSEEN and choice.state == State.ALL:
        return _unseen_first(draw, seed, size, sample)
    return _take(draw, Part.ALL, seed, size, sample)


def _due(learner: Learner, exam: Exam, choice: DrillChoice, size: int, now: dt.datetime) -> list[Pick]:
    """Due questions, oldest first, at most what is left of the day's reviews; for a unit, the one seen longest ago."""
    today = Today.of(learner, now)
    cards = due_cards(learner, exam, today).filter(unit=OuterRef("unit"))
    rows = with_past(fitting(learner, exam, choice, siblings=True), learner)
    due = rows.annotate(due_at=Subquery(cards.values("due_at")[:1])).filter(due_at__isnull=False)
    left = min(size, left_today(done_today(learner, exam, today)))
    found = list(of_units(due, learner, "due_at", "unit").values())[:left]
    # anything with a card was answered: if it wasn't a variant, it was the question itself
    return [replace(pick, seen_before=not pick.variant_seen) for pick in found]


def _by_past(exam: Exam, past: Past, draw: Draw, choice: DrillChoice, seed: int, size: int) -> list[Pick]:
    """What a stored past gives without reading the history; fewer if it gives too little."""
    rng, parts = random.Random(f"drill {seed}"), _parts(exam, choice, size)
    of_one_label = OF_ONE_LABEL if choice.difficulties or choice.kinds else 1
    units = [
        past.for_drills(
            domains,
            (count + SPARE) * of_one_label,
            rng,
            is_mixed=choice.order != Order.UNSEEN,
            may_be_seen=choice.state == State.ALL,
        )
        for domains, count in parts
    ]
    rows = _rows_known(
        replace(draw.fitting, state=State.ALL, is_known=True),
        draw.without,
        [question for ordered in units for questions in ordered for question in questions],
    )
    # A question may have become reserved since the bank was counted.
    found = {row[0]: row for *row, pool in rows if pool == Pool.PUBLIC or row[0] in past.seen.shown}
    picks: list[Pick] = []
    for ordered, (_, count) in zip(units, parts, strict=True):
        usable = (fit for questions in ordered if (fit := [question for question in questions if question in found]))
        # A seen unit comes with its unseen questions and again with all of them, in case that the former don't fit.
        of_units: dict[int, Pick] = {}
        for fit in usable:
            pick = past.pick(found[rng.choice(fit)])
            of_units.setdefault(pick.unit, pick)
        picks += list(of_units.values())[:count]
    return rng.sample(picks, len(picks)) if choice.order == Order.GUIDE else picks


def _parts(exam: Exam, choice: DrillChoice, size: int) -> list[tuple[list[int], int]]:
    """The ids of domains that are drawn from together, and how many questions from them."""
    if choice.order == Order.GUIDE:
        return [([domain], count) for domain, count in guide_shares(exam, size, choice.domains).items()]
    rows = exam.domains.filter(key__in=choice.domains) if choice.domains else exam.domains.all()
    return [(list(rows.values_list("pk", flat=True)), size)]


@composed_once
def _rows_known(fitting: Fitting, without: tuple[int, ...], questions: list[int]) -> QuerySet[QuestionVersion, Any]:
    rows = among(fitting.rows(), questions)
    rows = rows.exclude(unit__in=without) if without else rows
    return rows.order_by().values_list(*COLUMNS, "pool")


def _as_guide(exam: Exam, draw: Draw, choice: DrillChoice, seed: int, size: int) -> list[Pick]:
    """Units of these domains, or all, in the current guide's shares; if one runs short, there are fewer."""
    wanted = guide_shares(exam, size, choice.domains)
    bank = large_bank(exam) if _is_sampled(choice) else None
    if bank:
        sample = tuple(bank.sample_by_shares(wanted, _reserved_met(draw.fitting, exam, choice), seed))
        found = _by_shares(replace(draw, sample=sample), wanted, seed)
        if len(found) == size:
            return found
    return _by_shares(draw, wanted, seed)


def _by_shares(draw: Draw, wanted: Mapping[int, int], seed: int) -> list[Pick]:
    places = [*factors(seed), *factors(seed + 1)]
    rows = _rows_by_shares(draw, list(wanted), list(wanted.values()), places, [*factors(seed + 2)])
    return [Pick.of(row) for row in rows]


@composed_once
def _rows_by_shares(
    draw: Draw, domains: list[int], counts: list[int], places: list[int], place_in_unit: list[int]
) -> QuerySet[QuestionVersion, Any]:
    units, wanted = one_each(draw.rows(Part.ALL), placed(*place_in_unit)), dict(zip(domains, counts, strict=True))
    chosen = first_of_each(units, wanted, [placed(*places[:2]), F("pk").asc()])
    return with_past(chosen, draw.fitting.learner).order_by(placed(*places[2:]), "pk").values_list(*PICKED)


def guide_shares(exam: Exam, size: int, domains: Sequence[str]) -> dict[int, int]:
    """By domain id, its number of ``size`` questions by the current guide's shares."""
    weights = BlueprintDomain.objects.filter(blueprint__exam=exam, blueprint__is_current=True)
    if domains:
        weights = weights.filter(domain__key__in=domains)
    return allocate(list(weights.values_list("domain_id", "weight")), max(size, 0))


def _is_sampled(choice: DrillChoice) -> bool:
    """Whether a large bank is drawn from a sample first: not if few questions may match, or only met ones."""
    return choice.state in {State.ALL, State.UNSEEN} and not (choice.concepts or choice.objective or choice.miss)


def _sample(exam: Exam, draw: Draw, choice: DrillChoice, seed: int, size: int) -> tuple[int, ...] | None:
    """The sample to draw from first, in which each unit is as likely as in all; None if all are drawn from."""
    bank = large_bank(exam) if _is_sampled(choice) else None
    if bank is None:
        return None
    rows = exam.domains.filter(key__in=choice.domains) if choice.domains else exam.domains.all()
    of_one_label, met = bool(choice.difficulties or choice.kinds), _reserved_met(draw.fitting, exam, choice)
    domains = rows.values_list("pk", flat=True)
    return tuple(bank.sample_for_drill(domains, size, seed, met, of_one_label=of_one_label))


def _reserved_met(fitting: Fitting, exam: Exam, choice: DrillChoice) -> list[int]:
    """The reserved questions that may be drawn beside public ones; none if unseen ones come first."""
    if choice.state == State.UNSEEN or choice.order in {Order.UNSEEN, Order.WEAK} or fitting.learner is None:
        return []
    return _seen_reserved(fitting.learner, exam.pk)


@composed_once
def _seen_reserved(learner: int, exam: int) -> QuerySet[SessionItem, Any]:
    items = seen_items(learner).filter(version__pool=Pool.RESERVED, session__exam=exam).order_by()
    return items.values_list("version__question_id", flat=True).distinct()


def _unseen_first(draw: Draw, seed: int, size: int, sample: tuple[int, ...] | None = None) -> list[Pick]:
    """Unseen units, then variants of seen ones, then seen questions.

    No drill has unseen reserved ones, so a ``sample`` of the public questions is enough.
    """
    fresh = _take(draw, Part.FRESH, seed, size, sample)
    if len(fresh) >= size:
        return fresh
    variants = _take(draw, Part.VARIANTS, seed, size - len(fresh))
    rest = replace(draw, without=(*draw.without, *{pick.unit for pick in variants}))
    return fresh + variants + _take(rest, Part.MET, seed, size - len(fresh) - len(variants))


def _take(draw: Draw, part: Part, seed: int, size: int, sample: tuple[int, ...] | None = None) -> list[Pick]:
    """At most ``size`` of this part; if the sample has too few, they are drawn from all."""
    places = [*factors(seed), *factors(seed + 2)]
    rows = _rows(replace(draw, sample=sample), part, places, size) if sample and size > 0 else []
    if len(rows) < size:
        rows = _rows(draw, part, places, size)
    return [Pick.of(row) for row in rows]


@composed_once
def _rows(draw: Draw, part: Part, places: list[int], size: int) -> QuerySet[QuestionVersion, Any]:
    order = placed(*places[:2])
    units = one_each(draw.rows(part), placed(*places[2:]))
    ranked = units.annotate(place=Window(RowNumber(), order_by=[order, F("pk").asc()])).filter(place__lte=size)
    chosen = QuestionVersion.objects.filter(pk__in=ranked.values("pk"))
    return with_past(chosen, draw.fitting.learner).order_by(order, "pk").values_list(*PICKED)


def _weak_first(learner: Learner, exam: Exam, draw: Draw, choice: DrillChoice, seed: int) -> list[Pick]:
    """Unseen units, first from the domain with the lowest share of right answers; unknown counts as half."""
    marked = SessionItem.objects.filter(session__learner=learner, session__exam=exam, is_correct__isnull=False)
    counts = marked.values_list("version__domain_id").annotate(
        n=Count("position"), right=Count("position", filter=Q(is_correct=True))
    )
    # Laplace's rule: one answer doesn't mean a share of 0 or 1, and a domain without any counts as half.
    share = {domain: (right + 1) / (n + 2) for domain, n, right in counts.order_by()}
    picks = _unseen_first(draw, seed, WEAK_POOL, _sample(exam, draw, choice, seed, WEAK_POOL // 2))
    return sorted(picks, key=lambda pick: (pick.seen_before, pick.variant_seen, share.get(pick.domain_id, 0.5)))
