from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from courseiva.accounts.guarding import guards


@shared_task(name="accounts.purge_guards")
def purge_guards() -> int:
    """Delete expired counts and used codes."""
    return guards.purge_guards(timezone.now())
