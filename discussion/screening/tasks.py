"""Screening beside the requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="discussion.screen_comment")
def screen_comment(comment_id: int) -> None:
    """Hold a new or changed comment against what else was written."""
    from discussion.screening.hold import second_look

    second_look(comment_id, timezone.now())


@shared_task(name="discussion.screen_waiting")
def screen_waiting() -> int:
    """The same for those whose task was lost; a sweeper."""
    from discussion.screening.hold import screen_waiting as look_again

    return look_again(timezone.now())
