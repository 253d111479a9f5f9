from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.regrade import apply


@shared_task(name="practice.run_regrade")
def run_regrade(regrade_id: int) -> int:
    return apply.run(regrade_id, timezone.now())


@shared_task(name="practice.run_regrades")
def run_regrades() -> int:
    """Continue regrades whose own task was lost."""
    return apply.run_waiting(timezone.now())
