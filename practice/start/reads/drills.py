"""A drill's contents: the learner's choices, and the questions that match them."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from practice.learners.models import Learner, Star
from practice.reviews.reads import Today, done_today, due_cards, left_today
from practice.sessions.models import SessionItem
from practice.sessions.reads.marked import guessed_questions, missed_for, missed_questions
from practice.sessions.reads.shown import seen_questions, shown_questions
from practice.sessions.reads.siblings import kept_questions
from practice.sessions.reads.units import locked_families, seen_units, shown_units
from practice.start.reads.bank import sample_for_drill
from practice.start.reads.picking import (
    PICKED,
    Pick,
    Versions,
    among,
    first_of_each,
    live_versions,
    of_units,
    one_of_a_unit,
    scrambled,
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


def pick_drill(
    learner: Learner, exam: Exam, choice: DrillChoice, seed: int, now: dt.datetime, without: int | None = None
) -> list[Pick]:
    """At most ``size`` matching versions, one per unit, in the chosen order, otherwise random."""
    size = choice.size - (1 if without else 0)
    if choice.is_review:
        return _due(learner, exam, choice, size, now)
    rows = in_state(fitting(learner, exam, choice), learner, choice)
    if without:
        rows = rows.exclude(unit=without)
    if choice.order == Order.GUIDE:
        return _as_guide(learner, exam, rows, seed, size, choice.domains)
    if choice.order == Order.WEAK:
        return _weak_first(learner, exam, rows, seed)[:size]
    if choice.order == Order.UNSEEN and choice.state == State.ALL:
        return _unseen_first(learner, rows, seed, size, _sample(exam, choice, seed))
    return _take(learner, rows, seed, size)


def in_state(rows: Versions, learner: Learner, choice: DrillChoice) -> Versions:
    """The rows in the chosen state for this learner; due questions are drawn by card instead."""
    if choice.state == State.UNSEEN:
        return rows.exclude(unit__in=seen_units(learner))
    if choice.state == State.MISSED and choice.session:
        return rows.filter(question_id__in=wrong_in(learner, choice.session))
    found = {State.MISSED: missed_questions, State.GUESSED: guessed_questions, State.STARRED: starred_questions}
    return rows.filter(question_id__in=found[choice.state](learner)) if choice.state in found else rows


def starred_questions(learner: Learner) -> QuerySet[Star, Any]:
    """The learner's starred questions, as a subquery of ids."""
    return Star.objects.filter(learner=learner).values("question_id")


def fitting(learner: Learner | None, exam: Exam, choice: DrillChoice, *, siblings: bool = False) -> Versions:
    """The versions a choice allows: public ones, and reserved ones that a finished session showed this learner.

    With ``siblings``, also reserved ones of which a sibling was shown. None in a family in an unfinished mock, and none
    held back by the trial.
    """
    rows = live_versions(exam).exclude(unit__in=locked_families(learner))
    rows = rows.exclude(question_id__in=kept_questions(learner))
    shown = Q(unit__in=shown_units(learner)) if siblings else Q(question_id__in=shown_questions(learner))
    rows = rows.filter(pool=Pool.PUBLIC) if choice.public_only else rows.exclude(~Q(pool=Pool.PUBLIC) & ~shown)
    if choice.domains:
        rows = rows.filter(domain__key__in=choice.domains)
    if choice.concepts:
        rows = rows.filter(pk__in=QuestionVersion.objects.filter(concepts__key__in=choice.concepts).values("pk"))
    if choice.difficulties:
        rows = rows.filter(difficulty__in=choice.difficulties)
    if choice.kinds:
        rows = rows.filter(kind__in=choice.kinds)
    if choice.objective:
        rows = rows.filter(pk__in=[each.version for each in named(exam) if each.is_under(choice.objective)])
    if choice.miss:
        rows = rows.filter(question_id__in=missed_for(learner, choice.miss))
    return rows


def wrong_in(learner: Learner, session: uuid.UUID) -> QuerySet[SessionItem, Any]:
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


def _as_guide(learner: Learner, exam: Exam, rows: Versions, seed: int, size: int, domains: Sequence[str]) -> list[Pick]:
    """Units of these domains, or all, in the current guide's shares; if one runs short, there are fewer."""
    wanted = guide_shares(exam, size, domains)
    chosen = first_of_each(one_of_a_unit(rows, seed + 2), wanted, [scrambled(seed), F("pk").asc()])
    ordered = with_past(chosen, learner).order_by(scrambled(seed + 1), "pk")
    return [Pick.of(row) for row in ordered.values_list(*PICKED)]


def guide_shares(exam: Exam, size: int, domains: Sequence[str]) -> dict[int, int]:
    """By domain id, its number of ``size`` questions by the current guide's shares."""
    weights = BlueprintDomain.objects.filter(blueprint__exam=exam, blueprint__is_current=True)
    if domains:
        weights = weights.filter(domain__key__in=domains)
    return allocate(list(weights.values_list("domain_id", "weight")), max(size, 0))


def _sample(exam: Exam, choice: DrillChoice, seed: int) -> list[int] | None:
    """The sample to draw from first; None if few questions may match, because a sample would have too few of them."""
    if choice.concepts or choice.objective or choice.miss:
        return None
    of_one_label = bool(choice.difficulties or choice.kinds)
    return sample_for_drill(exam, choice.domains, choice.size, seed, of_one_label=of_one_label)


def _unseen_first(
    learner: Learner, rows: Versions, seed: int, size: int, sample: Collection[int] | None = None
) -> list[Pick]:
    """Unseen units, then variants of seen ones, then seen questions.

    No drill has unseen reserved ones, so a ``sample`` of the public questions is enough; if it has too few unseen ones,
    they are drawn from all.
    """
    unseen = rows.exclude(unit__in=seen_units(learner))
    fresh = _take(learner, among(unseen, sample), seed, size) if sample else []
    if len(fresh) < size:
        fresh = _take(learner, unseen, seed, size)
    if len(fresh) >= size:
        return fresh
    met = rows.filter(unit__in=seen_units(learner))
    variants = _take(learner, met.exclude(question_id__in=seen_questions(learner)), seed, size - len(fresh))
    rest = met.exclude(unit__in={pick.unit for pick in variants})
    return fresh + variants + _take(learner, rest, seed, size - len(fresh) - len(variants))


def _take(learner: Learner, rows: Versions, seed: int, size: int) -> list[Pick]:
    chosen = with_past(one_of_a_unit(rows, seed + 2), learner).order_by(scrambled(seed), "pk")
    return [Pick.of(row) for row in chosen.values_list(*PICKED)[: max(size, 0)]]


def _weak_first(learner: Learner, exam: Exam, rows: Versions, seed: int) -> list[Pick]:
    """Unseen units, first from the domain with the lowest share of right answers; unknown counts as half."""
    marked = SessionItem.objects.filter(session__learner=learner, session__exam=exam, is_correct__isnull=False)
    counts = marked.values_list("version__domain_id").annotate(
        n=Count("position"), right=Count("position", filter=Q(is_correct=True))
    )
    # Laplace's rule: one answer doesn't mean a share of 0 or 1, and a domain without any counts as half.
    share = {domain: (right + 1) / (n + 2) for domain, n, right in counts.order_by()}
    picks = _unseen_first(learner, rows, seed, WEAK_POOL)
    return sorted(picks, key=lambda pick: (pick.seen_before, pick.variant_seen, share.get(pick.domain_id, 0.5)))
