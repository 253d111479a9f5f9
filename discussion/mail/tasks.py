from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from discussion.mail import send, settle


@shared_task(name="discussion.send_reply_mails")
def send_reply_mails() -> int:
    """Email replies to followers: after each reply, and as a sweeper."""
    return send.send_replies(timezone.now())


@shared_task(name="discussion.send_corrections")
def send_corrections() -> int:
    """Send editors approved corrections, once the approval can't be undone; a sweeper."""
    return settle.send_corrections(timezone.now())


@shared_task(name="discussion.send_notices")
def send_notices() -> int:
    """Tell authors about decisions, once they can't be undone; a sweeper."""
    return send.send_notices(timezone.now())
