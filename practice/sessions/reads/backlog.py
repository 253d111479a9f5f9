"""How much waits: for whoever watches the site. Each is one statement that an index answers."""

from __future__ import annotations

import datetime as dt

from django.db.models import Min

from practice.sessions.models import Mode, PracticeSession


def open_count() -> int:
    """The sessions that run or are paused."""
    return PracticeSession.objects.filter(finished_at=None, discarded_at=None).exclude(mode=Mode.PAGE).count()


def longest_unanalysed(now: dt.datetime) -> float:
    """For how many seconds the oldest finished session has waited for its analysis; 0 when none waits."""
    waiting = PracticeSession.objects.filter(finished_at__isnull=False, analysed_at=None)
    oldest = waiting.aggregate(at=Min("finished_at"))["at"]
    return max(0.0, (now - oldest).total_seconds()) if oldest else 0.0
