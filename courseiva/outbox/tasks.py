from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from courseiva.outbox import deliver as delivery


@shared_task(name="outbox.deliver")
def deliver() -> int:
    """Send the email that is due."""
    return delivery.deliver(timezone.now())


@shared_task(name="outbox.purge")
def purge() -> int:
    """Delete rows of email that was finished a week ago."""
    return delivery.purge(timezone.now())
