"""Counting what a network's guests take from the reserved pool, in the database: losing the cache resets nothing."""

from __future__ import annotations

import datetime as dt

from practice.learners.models import GuestAct, GuestNetwork, Learner
from practice.learners.note_network import lock_network
from practice.sessions.errors import ReservedUsedUp
from practice.sessions.models import PracticeSession
from practice.start.rationing.reads import may_draw_reserved

KEPT = dt.timedelta(days=2)  # counts are per day; the second day is kept for staff who look the next morning


def draw_on_reserved(learner: Learner, network: str, now: dt.datetime, public_only: bool) -> bool:
    """Whether this mock takes reserved questions. Raises ReservedUsedUp if it may not and its page didn't say so.

    Call inside the transaction that starts the mock: a guest's network stays locked until its end, so that of many
    starts at once, each sees the one before it.
    """
    if network and not learner.user_id:
        lock_network(network, now)
    if public_only:
        return False
    if not may_draw_reserved(learner, network, now):
        raise ReservedUsedUp
    return True


def note_mock(session: PracticeSession, network: str, reserved: bool) -> None:
    """Count a guest's mock; call as ``draw_on_reserved``, in the same transaction."""
    if network and not session.learner.user_id:
        GuestAct.objects.create(network_id=network, at=session.started_at, session=session, reserved=reserved)


def purge_networks(now: dt.datetime) -> int:
    """Delete networks not used for two days; returns how many were deleted."""
    # What was counted goes first: a network is only deleted once nothing counted is left of it.
    GuestAct.objects.filter(at__lt=now - KEPT).delete()
    return GuestNetwork.objects.filter(seen_at__lt=now - KEPT, acts=None).delete()[1].get("practice.GuestNetwork", 0)
