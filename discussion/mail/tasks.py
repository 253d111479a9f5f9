from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.mail import send, settle


@shared_task(name="discussion.send_reply_mails")
def send_reply_mails() -> int:
    """Mail replies to those who asked for it: after each reply, and as a sweeper."""
    return send.send_replies(timezone.now())


@shared_task(name="discussion.send_corrections")
def send_corrections() -> int:
    """Send the editors the corrections that moderators let through, once that can no longer be undone; a sweeper."""
    return settle.send_corrections(timezone.now())


@shared_task(name="discussion.send_notices")
def send_notices() -> int:
    """Tell authors what was decided, once it can no longer be undone; a sweeper."""
    return send.send_notices(timezone.now())
