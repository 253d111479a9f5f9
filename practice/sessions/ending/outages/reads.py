"""Whether the site is up, and which sessions lost time in an outage."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Max, QuerySet

from practice.sessions.ending.outages.models import Heartbeat, Outage, TimeCredit
from practice.sessions.ending.outages.rules import FLOOR, Span, lost
from practice.sessions.models import PracticeSession


@dataclass(frozen=True)
class Loss:
    """How many running sessions lost time in an outage, and the most that one lost, in seconds."""

    sessions: int
    most: int


def is_away(now: dt.datetime) -> bool:
    """Whether an outage is under way or not settled yet. Never if no server has a heartbeat."""
    last = Heartbeat.objects.values_list("at", flat=True).first()
    return last is not None and now - last >= FLOOR


def running_through(outage: Span) -> QuerySet[PracticeSession]:
    """Unfinished sessions whose clock ran at some time during the outage. A paused clock lost nothing."""
    began, ended = outage
    return PracticeSession.objects.filter(
        finished_at=None, discarded_at=None, paused_at=None, deadline__gt=began, started_at__lt=ended
    ).order_by("pk")


def seconds_lost(sessions: Sequence[PracticeSession], outage: Span) -> dict[int, int]:
    """By session, the whole seconds not given back yet; those that lost none are left out."""
    given: dict[int, list[Span]] = defaultdict(list)
    known = TimeCredit.objects.filter(session__in=sessions)
    for session, began, ended in known.values_list("session_id", "outage__began_at", "outage__ended_at"):
        given[session].append((began, ended))
    found = {each.pk: lost(outage, each.started_at, given[each.pk]) for each in sessions}
    return {pk: int(length.total_seconds()) for pk, length in found.items() if length >= dt.timedelta(seconds=1)}


def loss_of(outage: Span) -> Loss:
    """What recording an outage would give back now."""
    seconds = seconds_lost(list(running_through(outage)), outage).values()
    return Loss(len(seconds), max(seconds, default=0))


def credits_of(session: PracticeSession) -> list[TimeCredit]:
    """What a session got back, each with its outage; no query if it got nothing."""
    return list(session.credits.select_related("outage")) if session.given_seconds else []


def with_credits(outages: QuerySet[Outage]) -> QuerySet[Outage]:
    """Outages with ``sessions``, how many got time back, and ``most``, the most that one did."""
    return outages.select_related("made_by").annotate(sessions=Count("credits"), most=Max("credits__seconds"))
