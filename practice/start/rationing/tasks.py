from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.start.rationing import ration


@shared_task(name="practice.purge_networks")
def purge_networks() -> int:
    """Delete guests' networks after two days."""
    return ration.purge_networks(timezone.now())
