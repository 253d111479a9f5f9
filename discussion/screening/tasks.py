from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.screening import hold


@shared_task(name="discussion.screen_comment")
def screen_comment(comment_id: int) -> None:
    """Compare a new or changed comment with other texts."""
    hold.second_look(comment_id, timezone.now())


@shared_task(name="discussion.screen_waiting")
def screen_waiting() -> int:
    """The same for comments whose task was lost; a sweeper."""
    return hold.screen_waiting(timezone.now())
