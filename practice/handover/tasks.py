"""The weekly farewell to guests who are gone."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.handover import forget


@shared_task(name="practice.purge_idle_guests")
def purge_idle_guests() -> int:
    """Forget the guests who have not answered for as long as their cookie lives."""
    return forget.purge_idle_guests(timezone.now())
