"""Recording a guest's network."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.models import GuestAct, GuestNetwork


def note_guest(network: str, now: dt.datetime) -> None:
    """Count a cookie issued to a new guest."""
    with transaction.atomic():
        lock_network(network, now)
        GuestAct.objects.create(network_id=network, at=now)


def lock_network(network: str, now: dt.datetime) -> None:
    """The network's row, created or updated, and thereby locked until the transaction ends."""
    # An upsert locks the row in one statement, whether it existed or not.
    GuestNetwork.objects.bulk_create(
        [GuestNetwork(key=network, seen_at=now)],
        update_conflicts=True,
        unique_fields=["key"],
        update_fields=["seen_at"],
    )
