"""The learner's plan for the real exam: which one, and when."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.models import ExamPlan, Learner
from practice.learners.reads.identity import Owner
from questions.catalogue.models import Exam


def set_plan(owner: Owner, exam: Exam, exam_date: dt.date | None, minutes: int | None, now: dt.datetime) -> ExamPlan:
    """Store the exam date and the minutes a day; after a new date, the outcome can be reported again."""
    with transaction.atomic():
        learner = lock_learner(owner, now)
        # Locked in addition to the learner, because telling an outcome locks only the plan.
        plan, _ = ExamPlan.objects.select_for_update().get_or_create(learner=learner, exam=exam)
        # A new date is a new attempt, with its own outcome.
        if exam_date != plan.exam_date:
            plan.told_at = None
        plan.exam_date, plan.minutes_a_day = exam_date, minutes
        plan.save()
    return plan


def choose_exam(owner: Owner, exam: Exam, now: dt.datetime) -> None:
    """Store the choice in a user's account. A guest has only this browser, so the cookie is enough."""
    if owner.user_id:
        with transaction.atomic():
            Learner.objects.filter(pk=lock_learner(owner, now).pk).update(exam=exam)


def take_over_choice(owner: Owner, slug: str, now: dt.datetime) -> None:
    """After signing in: this browser's earlier choice counts if the account has none."""
    exam = Exam.objects.filter(slug=slug).first()
    if exam and not Learner.objects.filter(**owner.of_learner, exam__isnull=False).exists():
        choose_exam(owner, exam, now)
