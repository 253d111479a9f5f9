"""Checking the pages that questions cite, a few at a time; each result is saved at once, so runs can be stopped."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from questions.versions.material.sources.models import SourceCheck
from questions.versions.material.sources.reads import due_urls
from questions.versions.material.sources.rules import AGAIN, AGAIN_AFTER_TROUBLE, Outcome, host_of

DELAY = 2.0
"""Seconds between two requests to one server, as between a person's clicks."""


def check_due(
    clock: Callable[[], dt.datetime],
    look: Callable[[str], Outcome],
    rest: Callable[[float], None],
    most: int,
    delay: float = DELAY,
    until: dt.datetime | None = None,
) -> list[SourceCheck]:
    """Check the URLs that are due, one server after another, within limits of number and time; returns their rows."""
    done: list[SourceCheck] = []
    last = ""
    for url in due_urls(clock(), most):
        if until and clock() >= until:
            break
        if host_of(url) == last:
            rest(delay)
        last = host_of(url)
        done.append(keep(url, look(url), clock()))
    return done


def keep(url: str, outcome: Outcome, now: dt.datetime) -> SourceCheck:
    """Record a check's outcome. If robots.txt forbids asking, it counts neither for nor against the page."""
    row = SourceCheck.objects.filter(url=url).first() or SourceCheck(url=url)
    failed = not outcome.is_open and not outcome.is_unknown
    row.status, row.trouble = outcome.status, outcome.trouble
    row.moved_to = outcome.url[:500] if outcome.is_open and outcome.url != url else ""
    row.failures = min(row.failures + 1, 1000) if failed else 0
    row.failed_since = (row.failed_since or now) if failed else None
    row.checked_at, row.due_at = now, now + (AGAIN_AFTER_TROUBLE if failed else AGAIN)
    row.save()
    return row
