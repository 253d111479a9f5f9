"""What runs beside the requests; each body calls the one write function it is named for."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="discussion.screen_comment")
def screen_comment(comment_id: int) -> None:
    """Hold a new or changed comment against what else was written."""
    from discussion.holding import second_look

    second_look(comment_id, timezone.now())


@shared_task(name="discussion.screen_waiting")
def screen_waiting() -> int:
    """The same for those whose task was lost; a sweeper."""
    from discussion.holding import screen_waiting as look_again

    return look_again(timezone.now())


@shared_task(name="discussion.send_reply_mails")
def send_reply_mails() -> int:
    """Mail replies to those who asked for it: after each reply, and as a sweeper."""
    from discussion.mailing import send_replies

    return send_replies(timezone.now())


@shared_task(name="discussion.send_corrections")
def send_corrections() -> int:
    """Send the editors the corrections that moderators let through, once that can no longer be undone; a sweeper."""
    from discussion.settling import send_corrections as send

    return send(timezone.now())


@shared_task(name="discussion.send_notices")
def send_notices() -> int:
    """Tell authors what was decided, once it can no longer be undone; a sweeper."""
    from discussion.mailing import send_notices as send

    return send(timezone.now())


@shared_task(name="discussion.send_digest")
def send_digest() -> int:
    """Tell moderators once a day what waits, if anything does."""
    from discussion.digest import send_digest as send

    return send(timezone.now())
