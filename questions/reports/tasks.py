"""What of content reports runs beside the requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from questions.reports import report


@shared_task(name="questions.tell_outcomes")
def tell_outcomes() -> int:
    """Mail the outcomes that their reporters were not told yet: after each answer, and as a sweeper."""
    return report.tell_waiting(timezone.now())
