"""What runs beside the requests."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task(name="accounts.purge_guards")
def purge_guards() -> int:
    """Delete the counts and used codes whose time is over."""
    from courseiva.accounts.guarding.guards import purge_guards as purge

    return purge(timezone.now())
