"""Recording an outage and giving back lost time, and the heartbeat with which the site notices one itself."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from practice.sessions.ending.outages.models import Heartbeat, Outage, TimeCredit
from practice.sessions.ending.outages.reads import running_through, seconds_lost
from practice.sessions.ending.outages.rules import FLOOR, LONGEST, OLDEST, Span, away_for
from practice.sessions.errors import NotPossible
from practice.sessions.models import PracticeSession

ONLY = 1
"""There's a single row, whose lock decides which of many processes that come back records the gap."""
AT_ONCE = 200
"""An outage may affect every running session, and ``bulk_update`` writes a branch for each row: long statements parse
slowly."""


def beat(now: dt.datetime, elapsed: dt.timedelta | None = None) -> Outage | None:
    """Record that the site is up. After a gap, record an outage; of many processes that come back, only one does.

    ``elapsed`` is as in ``away_for``. Without a gap, one query.
    """
    if Heartbeat.objects.filter(pk=ONLY, at__gt=now - FLOOR).update(at=now):
        return None
    with transaction.atomic():
        Heartbeat.objects.get_or_create(pk=ONLY, defaults={"at": now})
        # Read under the lock, so that those who waited for it find the gap settled.
        heart = Heartbeat.objects.select_for_update().get(pk=ONLY)
        gap = away_for(heart.at, now, elapsed)
        heart.at = now
        heart.save(update_fields=["at"])
        # In the same transaction, so that no request finds the site up again before its session has got the time back.
        return _record((now - gap, now), now) if gap else None


def enter(outage: Span, reason: str, by: AbstractBaseUser, now: dt.datetime) -> Outage:
    """Record an outage that staff know about. Raises NotPossible if it can't have been one, or is too long ago."""
    refuse_unlikely(outage, now)
    return _record(outage, now, reason.strip(), by)


def refuse_unlikely(outage: Span, now: dt.datetime) -> None:
    """Raises NotPossible as ``enter`` does."""
    began, ended = outage
    if ended <= began or ended > now:
        raise NotPossible("not-an-outage")
    if ended - began > LONGEST or now - began > OLDEST:
        raise NotPossible("outage-too-long")


def _record(outage: Span, now: dt.datetime, reason: str = "", by: AbstractBaseUser | None = None) -> Outage:
    with transaction.atomic():
        row = Outage.objects.create(
            began_at=outage[0], ended_at=outage[1], reason=reason, made_by_id=by.pk if by else None, made_at=now
        )
        _give_back(row, outage, now)
    return row


def _give_back(row: Outage, outage: Span, now: dt.datetime) -> None:
    """Extend the deadline of each session that lost time by what hasn't been given back yet."""
    sessions = list(running_through(outage).select_for_update(of=("self",)))
    seconds = seconds_lost(sessions, outage)
    credited = [session for session in sessions if session.pk in seconds]
    for session in credited:
        if session.deadline:
            session.deadline += dt.timedelta(seconds=seconds[session.pk])
        session.given_seconds += seconds[session.pk]
    PracticeSession.objects.bulk_update(credited, ["deadline", "given_seconds"], batch_size=AT_ONCE)
    TimeCredit.objects.bulk_create(
        [TimeCredit(session=session, outage=row, seconds=seconds[session.pk], at=now) for session in credited]
    )
