"""The learner's plan for the real exam: which one, and when."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.models import ExamPlan, Learner
from practice.learners.reads.identity import Owner
from questions.catalogue.models import Exam


def set_plan(owner: Owner, exam: Exam, exam_date: dt.date | None, minutes: int | None, now: dt.datetime) -> ExamPlan:
    """Keep the exam date and the minutes a day; a new date may be told of again."""
    with transaction.atomic():
        learner = lock_learner(owner, now)
        plan, _ = ExamPlan.objects.select_for_update().get_or_create(learner=learner, exam=exam)
        # Another date is another attempt, and has an outcome of its own.
        if exam_date != plan.exam_date:
            plan.told_at = None
        plan.exam_date, plan.minutes_a_day = exam_date, minutes
        plan.save()
    return plan


def choose_exam(owner: Owner, exam: Exam, now: dt.datetime) -> None:
    """Keep it with a user's account. A guest has no other browser to carry it to: there the cookie is enough."""
    if owner.user_id:
        with transaction.atomic():
            Learner.objects.filter(pk=lock_learner(owner, now).pk).update(exam=exam)


def take_over_choice(owner: Owner, slug: str, now: dt.datetime) -> None:
    """After a login: what this browser was told before holds where the account knows nothing yet."""
    exam = Exam.objects.filter(slug=slug).first()
    if exam and not Learner.objects.filter(**owner.of_learner, exam__isnull=False).exists():
        choose_exam(owner, exam, now)
