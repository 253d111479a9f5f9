from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.moderation import digest


@shared_task(name="discussion.send_digest")
def send_digest() -> int:
    """Tell moderators once a day what waits, if anything does."""
    return digest.send_digest(timezone.now())
