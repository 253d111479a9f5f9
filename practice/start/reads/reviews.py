"""What is due for review, today and in the coming days."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import BooleanField, ExpressionWrapper, Q

from practice.learners.models import ExamPlan, Learner
from practice.reviews.models import ReviewCard
from practice.reviews.reads import Today, done_today, due_cards, left_today
from practice.reviews.rules import DAY, cap_at_exam, spread
from practice.sessions.reads.units import unit_at
from practice.start.reads.drills import DrillChoice, fitting
from questions.catalogue.models import Exam


@dataclass(frozen=True)
class DueToday:
    """``count`` reviews are left today, ``waiting`` more are due beyond the 20 of a day, ``done`` were done today."""

    count: int
    waiting: int
    done: int

    @property
    def is_over(self) -> bool:
        """The day's reviews are done."""
        return self.done > 0 and self.count == 0


@dataclass(frozen=True)
class DueDay:
    """A day of the learner's, and how many reviews it holds."""

    date: dt.date
    count: int


@dataclass(frozen=True)
class DueForecast:
    """Today, and the next 14 days with it as the first. ``total`` is all cards, those due later included."""

    today: DueToday
    days: list[DueDay]
    total: int


def due_today(learner: Learner, exam: Exam, now: dt.datetime) -> DueToday:
    """What a review could take today, in two statements."""
    today = Today.of(learner, now)
    due = due_cards(learner, exam, today)
    usable = fitting(learner, exam, DrillChoice(), siblings=True).filter(unit__in=due.values("unit"))
    found = usable.values("unit").distinct().count()
    done = done_today(learner, exam, today)
    count = min(found, left_today(done))
    return DueToday(count=count, waiting=found - count, done=done)


def due_forecast(learner: Learner, exam: Exam, now: dt.datetime) -> DueForecast:
    """The reviews of the next 14 days if each day's are done, in four statements."""
    due, today = due_today(learner, exam, now), Today.of(learner, now)
    plan = ExamPlan.objects.filter(learner=learner, exam=exam).values_list("exam_date", flat=True).first()
    is_due = ExpressionWrapper(Q(pk__in=due_cards(learner, exam, today).values("pk")), BooleanField())
    usable = fitting(learner, exam, DrillChoice(), siblings=True).values("unit")
    cards = ReviewCard.objects.filter(learner=learner, exam=exam).annotate(unit=unit_at("question"))
    days = []
    for due_at, now_due in cards.filter(unit__in=usable).values_list("due_at", is_due):
        day = cap_at_exam(due_at.astimezone(today.zone).date(), plan, today.date)
        days.append(today.date if now_due else max(day, today.date + DAY))
    held = spread(days, today.date, left_today(due.done))
    coming = [DueDay(today.date + ahead * DAY, count) for ahead, count in enumerate(held)]
    return DueForecast(today=due, days=coming, total=len(days))
