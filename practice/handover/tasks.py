"""The weekly farewell to guests who are gone."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="practice.purge_idle_guests")
def purge_idle_guests() -> int:
    """Forget the guests who have not answered for as long as their cookie lives."""
    from practice.handover.forget import purge_idle_guests as purge

    return purge(timezone.now())
