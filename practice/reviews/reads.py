"""What is due for review today, in the learner's own time zone."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, Q, QuerySet

from practice.learners.models import ExamPlan, Learner
from practice.learners.reads.zones import zone_of
from practice.reviews.models import ReviewCard
from practice.reviews.rules import DAILY, DAY
from practice.sessions.models import Mode, SessionItem
from practice.sessions.reads.units import unit_at, units_of
from questions.catalogue.models import Exam


@dataclass(frozen=True)
class Today:
    """The learner's day: its date, and the moments it begins and ends."""

    date: dt.date
    start: dt.datetime
    end: dt.datetime
    zone: dt.tzinfo

    @classmethod
    def of(cls, learner: Learner, now: dt.datetime) -> Today:
        zone = zone_of(learner)
        date = now.astimezone(zone).date()
        start, end = (dt.datetime.combine(day, dt.time.min, zone) for day in (date, date + DAY))
        return cls(date, start, end, zone)


def due_cards(learner: Learner, exam: Exam, today: Today) -> QuerySet[Any, Any]:
    """The cards due by the end of the day, oldest first, each with its unit; on the day of the exam every card.

    A unit answered today is not due again today, even where its card does not know of that answer yet.
    """
    is_exam_day = Exists(ExamPlan.objects.filter(learner=learner, exam=exam, exam_date=today.date))
    cards = ReviewCard.objects.filter(learner=learner, exam=exam).filter(Q(due_at__lt=today.end) | Q(is_exam_day))
    return cards.annotate(unit=unit_at("question")).exclude(unit__in=units_of(_answered(learner, exam, today)))


def done_today(learner: Learner, exam: Exam, today: Today) -> int:
    """How many answers of today were given in reviews."""
    return _answered(learner, exam, today).filter(session__mode=Mode.REVIEW).count()


def left_today(done: int) -> int:
    """How many reviews today may still bring."""
    return max(0, DAILY - done)


def _answered(learner: Learner, exam: Exam, today: Today) -> QuerySet[SessionItem]:
    return SessionItem.objects.filter(
        session__learner=learner, session__exam=exam, session__discarded_at=None, answered_at__gte=today.start
    )
