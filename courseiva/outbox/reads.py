"""Counts of undelivered email, for monitoring."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Min, Q

from courseiva.outbox.models import MailState, OutgoingMail


@dataclass(frozen=True)
class Outbox:
    """How many emails are waiting, how long the oldest has (seconds), and how many were refused or given up lately."""

    waiting: int
    oldest_seconds: float
    failed: int


def outbox(now: dt.datetime) -> Outbox:
    """One query; rows of finished email are kept for a week."""
    waits, fails = Q(state=MailState.WAITING), Q(state__in=[MailState.REFUSED, MailState.GIVEN_UP])
    found = OutgoingMail.objects.aggregate(
        waiting=Count("pk", filter=waits), oldest=Min("written_at", filter=waits), failed=Count("pk", filter=fails)
    )
    oldest = (now - found["oldest"]).total_seconds() if found["oldest"] else 0.0
    return Outbox(found["waiting"], max(oldest, 0.0), found["failed"])
