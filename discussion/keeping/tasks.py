from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.keeping import keep


@shared_task(name="discussion.purge_kept")
def purge_kept() -> int:
    """Empty the texts that staff could read long enough, and remove old requests; a sweeper."""
    now = timezone.now()
    return keep.purge_kept(now) + keep.purge_takedowns(now)
