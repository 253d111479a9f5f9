from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from courseiva.accounts.guarding import guards


@shared_task(name="accounts.purge_guards")
def purge_guards() -> int:
    """Delete the counts and used codes whose time is over."""
    return guards.purge_guards(timezone.now())
