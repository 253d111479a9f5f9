"""Flashcards: the day's reviews, turned instead of answered."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from practice.learners.models import Learner
from practice.reviews.models import ReviewCard
from practice.reviews.reads import Today, done_today, due_cards, left_today
from practice.sessions.reads.units import items_of_open_mocks, unit_at, units_of
from practice.start.reads.fitting import DrillChoice, fitting
from practice.start.reads.picking import Versions
from questions.catalogue.models import Exam
from questions.versions.models.versions import QuestionVersion


@dataclass(frozen=True)
class Flashcard:
    """A card for a missed or guessed question: the question on the front; what decides it and the takeaway on the
    back."""

    question_id: int
    head: str
    stem_html: str
    clues: list[dict[str, str]]
    principle: str
    takeaway: str


@dataclass(frozen=True)
class CardsPage:
    """The day's next card, how many are left including it, and how many reviews were done today."""

    card: Flashcard | None
    left: int
    done: int


def cards_page(exam: Exam, learner: Learner | None, now: dt.datetime) -> CardsPage:
    """The longest overdue card; none for a question that is, or has a sibling, in an unfinished mock."""
    if learner is None:
        return CardsPage(None, 0, 0)
    today = Today.of(learner, now)
    done = done_today(learner, exam, today)
    left = min(_usable(learner, exam, today).values("unit").distinct().count(), left_today(done))
    return CardsPage(_next(learner, exam, today) if left else None, left, done)


def cards_left(learner: Learner, exam: Exam, now: dt.datetime) -> int:
    """How many cards are left today, in two queries."""
    today = Today.of(learner, now)
    found = _usable(learner, exam, today).values("unit").distinct().count()
    return min(found, left_today(done_today(learner, exam, today)))


def cards_to_come(learner: Learner, exam: Exam) -> int:
    """How many cards come back one day: those of retired questions don't, unless a sibling is still asked."""
    cards = ReviewCard.objects.filter(learner=learner, exam=exam).annotate(unit=unit_at("question"))
    rows = fitting(learner, exam, DrillChoice(), siblings=True).filter(unit__in=cards.values("unit"))
    return rows.values("unit").distinct().count()


def _usable(learner: Learner, exam: Exam, today: Today) -> Versions:
    """The questions of the day's cards: for each unit, the one the learner saw."""
    due = due_cards(learner, exam, today)
    # A basic question lacks the texts for a card's back; it comes back as a question.
    rows = fitting(learner, exam, DrillChoice()).filter(is_basic=False, question_id__in=due.values("question_id"))
    return rows.exclude(unit__in=units_of(items_of_open_mocks(learner=learner)))


def _next(learner: Learner, exam: Exam, today: Today) -> Flashcard | None:
    due = due_cards(learner, exam, today).filter(question_id=OuterRef("question_id"))
    rows = _usable(learner, exam, today).annotate(due_at=Subquery(due.values("due_at")[:1]))
    first = rows.order_by("due_at", "pk").values_list("pk", flat=True).first()
    if first is None:
        return None
    version = QuestionVersion.objects.select_related("solution", "hint", "domain").get(pk=first)
    return Flashcard(
        question_id=version.question_id,
        head=version.title,
        stem_html=version.stem_html,
        clues=version.hint.html["clues"],
        principle=version.solution.html["principle"],
        takeaway=version.solution.html["takeaway"],
    )
