"""What runs beside the requests; each body calls the one write function it is named for."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="practice.close_expired_sessions")
def close_expired_sessions() -> int:
    """Close the sittings whose time is over and whose owner did not come back."""
    from practice.finishing import close_expired

    return close_expired(timezone.now())
