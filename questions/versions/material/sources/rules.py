"""What an answer of a cited page means, and when it is asked for again."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from urllib.parse import urlsplit

AGAIN = dt.timedelta(days=30)
"""Pages of documentation last for years, and other people's servers aren't ours to load."""
AGAIN_AFTER_TROUBLE = dt.timedelta(days=1)
"""Sooner, a server that is away for an evening would reach MOST_FAILURES."""
GONE = {404, 410}
MOST_FAILURES = 3
"""A server may be away for a day or two; a page that is said to be gone is dead at once."""
SCHEMES = {"http", "https"}
TIMEOUT, UNREACHABLE, REFUSED, FORBIDDEN, ODD = "timeout", "unreachable", "refused", "robots", "odd"


@dataclass(frozen=True)
class Outcome:
    """What came of one request: a status, or what kept it from one. ``url`` is where it led in the end."""

    status: int | None = None
    trouble: str = ""
    url: str = ""

    @property
    def is_open(self) -> bool:
        """The page is there."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_unknown(self) -> bool:
        """We may not ask, which says nothing of the page."""
        return self.trouble == FORBIDDEN


def is_dead(status: int | None, failures: int) -> bool:
    """Whether editors have to look for another page."""
    return failures > 0 and (status in GONE or failures >= MOST_FAILURES)


def host_of(url: str) -> str:
    """The server of an address, by which it is spared; "" where it has none that can be asked."""
    try:
        parts = urlsplit(url)
        return parts.netloc.lower() if parts.scheme in SCHEMES and parts.hostname else ""
    except ValueError:
        return ""
