from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.readiness.plan.reminders import send


@shared_task(name="practice.send_reminders")
def send_reminders() -> int:
    """Email learners today's part of their plan, on the weekdays they chose."""
    return send.send_reminders(timezone.now())
