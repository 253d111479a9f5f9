"""The desk's emails, outside requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from questions.desk.mail import send


@shared_task(name="questions.tell_desk")
def tell_desk() -> int:
    """Email people about the steps of drafts they are waiting for."""
    return send.tell_waiting(timezone.now())
