"""What is made anew from answers, beside the requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="practice.analyse_session")
def analyse_session(session_id: int) -> bool:
    """Analyse a finished sitting, once."""
    from practice.readiness.derive.analyse import analyse

    return analyse(session_id, timezone.now())


@shared_task(name="practice.analyse_waiting")
def analyse_waiting() -> int:
    """Analyse the sittings whose own task was lost."""
    from practice.readiness.derive.analyse import analyse_waiting as analyse_all

    return analyse_all(timezone.now())


@shared_task(name="practice.refresh_standings")
def refresh_standings() -> int:
    """Bring what is said of each learner to today: time away counts."""
    from practice.readiness.derive.analyse import refresh_standings as refresh_all

    return refresh_all(timezone.now())
