"""What a drill is made of: the learner's choice, and the questions that fit it."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from practice.learners.models import Bookmark, Learner
from practice.reviews.reads import Today, done_today, due_cards, left_today
from practice.sessions.models import SessionItem
from practice.sessions.reads.judged import missed_for, missed_questions
from practice.sessions.reads.shown import seen_questions, shown_questions
from practice.start.reads.picking import PICKED, Pick, first_of_each, live_versions, scrambled
from practice.start.rules import Order
from questions.catalogue.models import BlueprintDomain, Exam
from questions.catalogue.rules.shares import allocate
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion

WEAK_POOL = 200


@dataclass(frozen=True)
class DrillChoice:
    """A drill as chosen; empty tuples mean "any". ``minutes_each`` None is untimed.

    The order "due" makes it a review. ``sitting`` narrows the order "missed" to what that sitting of the learner's
    got wrong. ``miss`` narrows any order to what the learner says was missed for that reason.
    """

    size: int = 10
    domains: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    difficulties: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    order: Order = Order.UNSEEN
    minutes_each: float | None = None
    feedback_each: bool = True
    ask_confidence: bool = False
    label: str = ""
    sitting: uuid.UUID | None = None
    miss: str = ""

    @property
    def is_review(self) -> bool:
        """It takes what is due, and counts as the day's reviews."""
        return self.order == Order.DUE


def pick_drill(
    learner: Learner, exam: Exam, choice: DrillChoice, seed: int, now: dt.datetime, without: int | None = None
) -> list[Pick]:
    """At most ``size`` versions that fit, in the order chosen, and by chance where that leaves it open."""
    rows = fitting(learner, exam, choice)
    if without:
        rows = rows.exclude(question_id=without)
    size = choice.size - (1 if without else 0)
    if choice.order == Order.MISSED and choice.sitting:
        rows = rows.filter(question_id__in=wrong_in(learner, choice.sitting))
    elif choice.order == Order.MISSED:
        rows = rows.filter(question_id__in=missed_questions(learner))
    elif choice.order == Order.BOOKMARKED:
        rows = rows.filter(question_id__in=Bookmark.objects.filter(learner=learner).values("question_id"))
    elif choice.is_review:
        return _due(learner, exam, rows, size, now)
    elif choice.order == Order.GUIDE:
        return _as_guide(learner, exam, rows, seed, size)
    elif choice.order == Order.WEAK:
        return _weak_first(learner, exam, rows, seed)[:size]
    elif choice.order == Order.UNSEEN:
        fresh = _take(rows.exclude(question_id__in=seen_questions(learner)), seed, size)
        return fresh + _take(rows.filter(question_id__in=seen_questions(learner)), seed, size - len(fresh), True)
    return _take(rows, seed, size, choice.order != Order.RANDOM)


def fitting(learner: Learner | None, exam: Exam, choice: DrillChoice) -> QuerySet[QuestionVersion]:
    """The versions a choice allows: open ones, and reserved ones a finished sitting showed this learner."""
    rows = live_versions(exam)
    rows = rows.exclude(~Q(pool=Pool.OPEN) & ~Q(question_id__in=shown_questions(learner)))
    if choice.domains:
        rows = rows.filter(domain__key__in=choice.domains)
    if choice.concepts:
        rows = rows.filter(pk__in=QuestionVersion.objects.filter(concepts__key__in=choice.concepts).values("pk"))
    if choice.difficulties:
        rows = rows.filter(difficulty__in=choice.difficulties)
    if choice.kinds:
        rows = rows.filter(kind__in=choice.kinds)
    if choice.miss:
        rows = rows.filter(question_id__in=missed_for(learner, choice.miss))
    return rows


def wrong_in(learner: Learner, sitting: uuid.UUID) -> QuerySet[SessionItem, Any]:
    """Questions a finished sitting of this learner got wrong or left open, as a subquery of ids."""
    mine = SessionItem.objects.filter(session__learner=learner, session__uuid=sitting, is_correct=False)
    return mine.filter(session__finished_at__isnull=False).values("version__question_id")


def _due(learner: Learner, exam: Exam, rows: QuerySet[QuestionVersion], size: int, now: dt.datetime) -> list[Pick]:
    """What is due, oldest first, and at most what is left of the day's reviews."""
    today = Today.of(learner, now)
    cards = due_cards(learner, exam, today).filter(question_id=OuterRef("question_id"))
    due = rows.annotate(due_at=Subquery(cards.values("due_at")[:1])).filter(due_at__isnull=False)
    left = min(size, left_today(done_today(learner, exam, today)))
    return [Pick.of(row, seen_before=True) for row in due.order_by("due_at", "pk").values_list(*PICKED)[:left]]


def _as_guide(learner: Learner, exam: Exam, rows: QuerySet[QuestionVersion], seed: int, size: int) -> list[Pick]:
    """Unseen questions in the shares of the current guide; where a section runs short there are fewer."""
    weights = BlueprintDomain.objects.filter(blueprint__exam=exam, blueprint__is_current=True)
    wanted = allocate(list(weights.values_list("domain_id", "weight")), max(size, 0))
    unseen = rows.exclude(question_id__in=seen_questions(learner))
    chosen = first_of_each(unseen, wanted, [scrambled(seed), F("pk").asc()]).order_by(scrambled(seed + 1), "pk")
    return [Pick.of(row, seen_before=False) for row in chosen.values_list(*PICKED)]


def _take(rows: QuerySet[QuestionVersion], seed: int, size: int, seen_before: bool = False) -> list[Pick]:
    chosen = rows.order_by(scrambled(seed), "pk").values_list(*PICKED)[: max(size, 0)]
    return [Pick.of(row, seen_before) for row in chosen]


def _weak_first(learner: Learner, exam: Exam, rows: QuerySet[QuestionVersion], seed: int) -> list[Pick]:
    """Unseen questions of the domain with the lowest share of right answers first; unknown counts as half."""
    judged = SessionItem.objects.filter(session__learner=learner, session__exam=exam, is_correct__isnull=False)
    counts = judged.values_list("version__domain_id").annotate(
        n=Count("position"), right=Count("position", filter=Q(is_correct=True))
    )
    share = {domain: (right + 1) / (n + 2) for domain, n, right in counts.order_by()}
    picks = _take(rows.exclude(question_id__in=seen_questions(learner)), seed, WEAK_POOL)
    picks += _take(rows.filter(question_id__in=seen_questions(learner)), seed, WEAK_POOL, True)
    return sorted(picks, key=lambda pick: (pick.seen_before, share.get(pick.domain_id, 0.5)))
