"""How long the site was down, and how much of that a session lost; pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

BEAT = dt.timedelta(seconds=10)
"""How often a web process records that the site is up."""
FLOOR = dt.timedelta(seconds=30)
"""Below this, nothing is given back: a restart takes seconds, and a page resends what wasn't acknowledged."""
LONGEST = dt.timedelta(hours=24)
OLDEST = dt.timedelta(days=7)
"""How old an outage entered by staff can be: a wrong date mustn't give somebody a year."""

Span = tuple[dt.datetime, dt.datetime]


def away_for(last: dt.datetime, now: dt.datetime, elapsed: dt.timedelta | None) -> dt.timedelta:
    """How long the site was down before ``now``; nothing below the floor.

    ``elapsed``, by a clock that nobody can set, is how long ago this process found the site up; None if it has only
    just started. The shorter of the two counts, in case the time of day was changed.
    """
    gap = now - last
    if elapsed is not None:
        gap = min(gap, elapsed)
    return gap if gap >= FLOOR else dt.timedelta()


def lost(outage: Span, started: dt.datetime, given: Iterable[Span] = ()) -> dt.timedelta:
    """What a session started at ``started`` lost, minus what was ``given`` back for other outages."""
    reached, end = max(outage[0], started), outage[1]
    total = dt.timedelta()
    for began, ended in sorted(given):
        total += max(min(began, end) - reached, dt.timedelta())
        reached = max(reached, ended)
    return total + max(end - reached, dt.timedelta())
