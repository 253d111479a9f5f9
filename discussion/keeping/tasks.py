from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.keeping import keep


@shared_task(name="discussion.purge_kept")
def purge_kept() -> int:
    """Clear texts kept long enough, and delete old requests; a sweeper."""
    now = timezone.now()
    return keep.purge_kept(now) + keep.purge_takedowns(now)
