from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.sessions.ending import finish


@shared_task(name="practice.close_expired_sessions")
def close_expired_sessions() -> int:
    """Close sessions whose time is up and whose owner didn't come back."""
    return finish.close_expired(timezone.now())
