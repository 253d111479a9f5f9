"""What a learner's plan for the real exam is checked against."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from practice.learners.models import ExamPlan, Learner
from practice.learners.reads.identity import Owner
from practice.learners.reads.zones import zone_of
from questions.catalogue.models import Exam


@dataclass(frozen=True)
class PlanLimits:
    """The learner's day, and the exam date and minutes stored so far."""

    today: dt.date
    known: dt.date | None
    minutes: int | None = None


def plan_limits(owner: Owner, exam: Exam, told: str, now: dt.datetime) -> PlanLimits:
    """The requester's limits; ``told`` is the time zone the browser reports, for those with nothing stored yet."""
    learner = Learner.objects.filter(**owner.of_learner).first()
    rows = ExamPlan.objects.filter(**owner.of_row, exam=exam).values_list("exam_date", "minutes_a_day")
    date, minutes = rows.first() or (None, None)
    return PlanLimits(now.astimezone(zone_of(learner, told)).date(), date, minutes)
