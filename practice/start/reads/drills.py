"""A drill's contents: the learner's choices, and the questions that match them."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner, Star
from practice.learners.trial.rules import KEPT_BACK
from practice.reviews.reads import Today, done_today, due_cards, left_today
from practice.sessions.models import SessionItem
from practice.sessions.reads.marked import guessed_questions, missed_for, missed_questions
from practice.sessions.reads.shown import seen_items, seen_questions, shown_questions
from practice.sessions.reads.siblings import kept_after
from practice.sessions.reads.units import locked_families, seen_units, shown_units
from practice.start.reads.bank import large_bank
from practice.start.reads.picking import (
    PICKED,
    Pick,
    Versions,
    among,
    factors,
    first_of_each,
    live_versions,
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
from questions.versions.reads.objectives import named

# Drawn before sorting by domain: twice the longest drill (MAX_DRILL).
WEAK_POOL = 200


@dataclass(frozen=True)
class DrillChoice:
    """A chosen drill; empty tuples mean "any". ``minutes_each`` None is untimed.

    The state "due" makes it a review. ``session`` narrows the state "missed" to that session's misses. ``miss`` narrows
    any state to questions the learner says were missed for that reason. ``objective`` is a number in the current
    guide's outline and includes its points. ``expects`` is how many questions its page said it would have; None if it
    didn't say.
    """

    size: int = 10
    domains: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    difficulties: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    state: State = State.ALL
    order: Order = Order.UNSEEN
    minutes_each: float | None = None
    feedback_each: bool = True
    ask_confidence: bool = False
    label: str = ""
    session: uuid.UUID | None = None
    miss: str = ""
    objective: str = ""
    expects: int | None = None
    public_only: bool = False

    @property
    def is_review(self) -> bool:
        """Whether it takes due questions, and counts as the day's reviews."""
        return self.state == State.DUE


class Part(Enum):
    """Which of the matching questions are drawn: all, those of unseen units, unseen variants of seen ones, or all of
    seen units."""

    ALL = 1
    FRESH = 2
    VARIANTS = 3
    MET = 4


@dataclass(frozen=True)
class Fitting:
    """What a choice allows one learner, as the values of a statement; ``fitting`` says which versions.

    ``versions`` are those of the chosen objective. It has no state "due", because due questions are drawn by card.
    """

    exam: int
    learner: int | None
    kept_since: dt.datetime
    siblings: bool = False
    public_only: bool = False
    domains: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    difficulties: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    versions: tuple[int, ...] | None = None
    miss: str | None = None
    state: State = State.ALL
    session: uuid.UUID | None = None

    @classmethod
    def of(cls, learner: Learner | None, exam: Exam, choice: DrillChoice, *, siblings: bool = False) -> Fitting:
        """The choice for this learner, at this moment, in any state."""
        objective = choice.objective
        return cls(
            exam.pk,
            learner.pk if learner else None,
            timezone.now() - KEPT_BACK,
            siblings=siblings,
            public_only=choice.public_only,
            domains=choice.domains,
            concepts=choice.concepts,
            difficulties=choice.difficulties,
            kinds=choice.kinds,
            versions=tuple(each.version for each in named(exam) if each.is_under(objective)) if objective else None,
            miss=choice.miss or None,
        )

    def in_state(self, choice: DrillChoice) -> Fitting:
        """The same in the chosen state."""
        is_of_session = choice.state == State.MISSED and choice.session
        return replace(self, state=State(choice.state), session=choice.session if is_of_session else None)

    def rows(self) -> Versions:
        """The versions."""
        rows = self._labelled(self._allowed())
        if self.versions is not None:
            rows = rows.filter(pk__in=self.versions)
        if self.miss:
            rows = rows.filter(question_id__in=missed_for(self.learner, self.miss))
        return self._in_state(rows)

    def _allowed(self) -> Versions:
        rows = live_versions(self.exam).exclude(unit__in=locked_families(self.learner))
        rows = rows.exclude(question_id__in=kept_after(self.learner, self.kept_since))
        if self.public_only:
            return rows.filter(pool=Pool.PUBLIC)
        shown = (
            Q(unit__in=shown_units(self.learner)) if self.siblings else Q(question_id__in=shown_questions(self.learner))
        )
        return rows.exclude(~Q(pool=Pool.PUBLIC) & ~shown)

    def _labelled(self, rows: Versions) -> Versions:
        if self.domains:
            rows = rows.filter(domain__key__in=self.domains)
        if self.concepts:
            rows = rows.filter(pk__in=QuestionVersion.objects.filter(concepts__key__in=self.concepts).values("pk"))
        if self.difficulties:
            rows = rows.filter(difficulty__in=self.difficulties)
        return rows.filter(kind__in=self.kinds) if self.kinds else rows

    def _in_state(self, rows: Versions) -> Versions:
        if self.state == State.UNSEEN:
            return rows.exclude(unit__in=seen_units(self.learner))
        if self.session:
            return rows.filter(question_id__in=wrong_in(self.learner, self.session))
        found = {State.MISSED: missed_questions, State.GUESSED: guessed_questions, State.STARRED: starred_questions}
        return rows.filter(question_id__in=found[self.state](self.learner)) if self.state in found else rows


@dataclass(frozen=True)
class Draw:
    """What is drawn from, for one learner: the matching versions, without some units; ``sample`` restricts it to these
    questions."""

    fitting: Fitting
    without: tuple[int, ...] = ()
    sample: tuple[int, ...] | None = None

    def rows(self, part: Part) -> Versions:
        """The versions of this part."""
        rows, learner = self.fitting.rows(), self.fitting.learner
        if self.without:
            rows = rows.exclude(unit__in=self.without)
        if self.sample is not None:
            rows = among(rows, self.sample)
        if part == Part.ALL:
            return rows
        if part == Part.FRESH:
            return rows.exclude(unit__in=seen_units(learner))
        met = rows.filter(unit__in=seen_units(learner))
        return met.exclude(question_id__in=seen_questions(learner)) if part == Part.VARIANTS else met


def pick_drill(
    learner: Learner, exam: Exam, choice: DrillChoice, seed: int, now: dt.datetime, without: int | None = None
) -> list[Pick]:
    """At most ``size`` matching versions, one per unit, in the chosen order, otherwise random."""
    size = choice.size - (1 if without else 0)
    if choice.is_review:
        return _due(learner, exam, choice, size, now)
    draw = Draw(Fitting.of(learner, exam, choice).in_state(choice), (without,) if without else ())
    if choice.order == Order.GUIDE:
        return _as_guide(exam, draw, choice, seed, size)
    if choice.order == Order.WEAK:
        return _weak_first(learner, exam, draw, choice, seed)[:size]
    sample = _sample(exam, draw, choice, seed, size)
    if choice.order == Order.UNSEEN and choice.state == State.ALL:
        return _unseen_first(draw, seed, size, sample)
    return _take(draw, Part.ALL, seed, size, sample)


def starred_questions(learner: Learner | int | None) -> QuerySet[Star, Any]:
    """The learner's starred questions, as a subquery of ids."""
    return Star.objects.filter(learner=learner).values("question_id")


def fitting(learner: Learner | None, exam: Exam, choice: DrillChoice, *, siblings: bool = False) -> Versions:
    """The versions a choice allows: public ones, and reserved ones that a finished session showed this learner.

    With ``siblings``, also reserved ones of which a sibling was shown. None in a family in an unfinished mock, and none
    held back by the trial. In any state.
    """
    return Fitting.of(learner, exam, choice, siblings=siblings).rows()


def wrong_in(learner: Learner | int | None, session: uuid.UUID) -> QuerySet[SessionItem, Any]:
    """Questions a finished session of this learner got wrong or left unanswered, as a subquery of ids."""
    mine = SessionItem.objects.filter(session__learner=learner, session__uuid=session, is_correct=False)
    return mine.filter(session__finished_at__isnull=False).values("version__question_id")


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
