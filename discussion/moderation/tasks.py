from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.moderation import alarm, digest


@shared_task(name="discussion.send_digest")
def send_digest() -> int:
    """Tell moderators once a day what is waiting, if anything is."""
    return digest.send_digest(timezone.now())


@shared_task(name="discussion.raise_alarm")
def raise_alarm(comment_id: int) -> int:
    """Tell moderators about a report that can't wait until morning."""
    return alarm.raise_alarm(comment_id, timezone.now())
