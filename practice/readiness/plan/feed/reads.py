"""The plan behind a calendar's secret address, and its days."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass

from practice.learners.models import ExamPlan
from practice.readiness.plan.reads import days_of
from practice.readiness.plan.rules import Day
from practice.readiness.reads.steps import situation
from questions.catalogue.models import Exam
from questions.catalogue.reads import guide_of


@dataclass(frozen=True)
class PlanFeed:
    """A plan with its days from today on; empty days are left out."""

    plan: ExamPlan
    exam: Exam
    days: list[Day]


def plan_feed(token: uuid.UUID, now: dt.datetime) -> PlanFeed:
    """Raises ExamPlan.DoesNotExist if the address belongs to nobody, or no longer does."""
    plans = ExamPlan.objects.select_related("exam", "learner").filter(exam__blueprints__is_current=True)
    plan = plans.get(feed_token=token)
    exam, learner = plan.exam, plan.learner
    days = days_of(situation(guide_of(pk=exam.pk), learner, now))
    return PlanFeed(plan, exam, [day for day in days if day.entries or day.is_exam])
