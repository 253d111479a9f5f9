"""How much is waiting, for monitoring. Each is one query answered by an index."""

from __future__ import annotations

import datetime as dt

from django.db.models import Min

from practice.sessions.models import Mode, PracticeSession


def open_count() -> int:
    """The number of running or paused sessions."""
    return PracticeSession.objects.filter(finished_at=None, discarded_at=None).exclude(mode=Mode.PAGE).count()


def longest_unanalysed(now: dt.datetime) -> float:
    """How many seconds the oldest finished session has been waiting for its analysis; 0 if none is."""
    waiting = PracticeSession.objects.filter(finished_at__isnull=False, analysed_at=None)
    oldest = waiting.aggregate(at=Min("finished_at"))["at"]
    return max(0.0, (now - oldest).total_seconds()) if oldest else 0.0
