"""On which weekdays a learner wants reminders, and unsubscribing through a link."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.db.models import UUIDField, Value
from django.db.models.functions import Coalesce

from practice.learners.models import ExamPlan
from practice.learners.reads.identity import Owner
from practice.readiness.plan.reminders.rules import mask_of
from questions.catalogue.models import Exam


def set_reminders(owner: Owner, exam: Exam, weekdays: Iterable[int]) -> bool:
    """Store the weekdays; none turns reminders off. False without a plan."""
    # Emails already sent contain the first token.
    token = Coalesce("reminder_token", Value(uuid.uuid4(), UUIDField()))
    plans = ExamPlan.objects.filter(**owner.of_row, exam=exam)
    return bool(plans.update(remind_on=mask_of(weekdays), reminder_token=token))


def stop_reminders(token: uuid.UUID) -> None:
    """Turn off reminders for this token's plan; does nothing the second time or for an unknown token."""
    ExamPlan.objects.filter(reminder_token=token).update(remind_on=0)
