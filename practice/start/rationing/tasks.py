"""Forgetting networks of guests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="practice.purge_networks")
def purge_networks() -> int:
    """Forget the networks of guests after two days."""
    from practice.start.rationing.ration import purge_networks as purge

    return purge(timezone.now())
