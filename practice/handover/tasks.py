"""Deleting idle guests, and the links to archived fresh starts."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from practice.handover import forget
from practice.handover.afresh import restore


@shared_task(name="practice.purge_idle_guests")
def purge_idle_guests() -> int:
    """Forget guests who haven't answered for as long as their cookie lasts."""
    return forget.purge_idle_guests(timezone.now())


@shared_task(name="practice.let_archives_go")
def let_archives_go() -> int:
    """Delete the links to sessions that a fresh start archived more than 14 days ago."""
    return restore.let_go(timezone.now())
