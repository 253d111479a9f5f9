"""Tasks that recompute derived rows from answers."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.readiness.derive import analyse, honest


@shared_task(name="practice.analyse_session")
def analyse_session(session_id: int) -> bool:
    return analyse.analyse(session_id, timezone.now())


@shared_task(name="practice.analyse_waiting")
def analyse_waiting() -> int:
    """Analyse sessions whose own task was lost."""
    return analyse.analyse_waiting(timezone.now())


@shared_task(name="practice.refresh_standings")
def refresh_standings() -> int:
    """Recompute learners' standings as of now, because time away counts."""
    return analyse.refresh_standings(timezone.now())


@shared_task(name="practice.measure_honesty")
def measure_honesty() -> int:
    """Compare all predictions with results, for the public page."""
    return honest.measure_honesty(timezone.now())
