"""On which weekdays a learner wants mail, and the end of it by the link in one."""

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
    """Keep them; none at all ends the mails. False without a plan."""
    # In mails that were sent stands the token of the first time.
    token = Coalesce("reminder_token", Value(uuid.uuid4(), UUIDField()))
    plans = ExamPlan.objects.filter(**owner.of_row, exam=exam)
    return bool(plans.update(remind_on=mask_of(weekdays), reminder_token=token))


def stop_reminders(token: uuid.UUID) -> None:
    """End the mails of the plan this token belongs to; again, or with any other token, nothing happens."""
    ExamPlan.objects.filter(reminder_token=token).update(remind_on=0)
