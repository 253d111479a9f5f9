"""Regrades run beside the requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="practice.run_regrade")
def run_regrade(regrade_id: int) -> int:
    """Bring every sitting up to a regrade."""
    from practice.regrade.apply import run

    return run(regrade_id, timezone.now())


@shared_task(name="practice.run_regrades")
def run_regrades() -> int:
    """Go on with the regrades whose own task was lost."""
    from practice.regrade.apply import run_waiting

    return run_waiting(timezone.now())
