"""What of the desk's mail runs beside the requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from questions.desk.mail import send


@shared_task(name="questions.tell_desk")
def tell_desk() -> int:
    """Mail the steps of drafts to whoever waits for them."""
    return send.tell_waiting(timezone.now())
