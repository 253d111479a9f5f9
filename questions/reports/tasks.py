"""Background tasks for error reports."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from questions.reports import report


@shared_task(name="questions.tell_outcomes")
def tell_outcomes() -> int:
    """Email outcomes that reporters haven't been told: after each answer, and on a schedule to catch any missed."""
    return report.tell_waiting(timezone.now())
