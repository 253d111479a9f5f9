"""What a cited page's response means, and when to check it again."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from urllib.parse import urlsplit

AGAIN = dt.timedelta(days=30)
"""Pages of documentation last for years, and we mustn't burden other people's servers."""
AGAIN_AFTER_TROUBLE = dt.timedelta(days=1)
"""If checked sooner, a server that is down for an evening would reach MOST_FAILURES."""
GONE = {404, 410}
MOST_FAILURES = 3
"""A server may be down for a day or two; a page reported as gone is dead at once."""
SCHEMES = {"http", "https"}
TIMEOUT, UNREACHABLE, REFUSED, FORBIDDEN, ODD = "timeout", "unreachable", "refused", "robots", "odd"


@dataclass(frozen=True)
class Outcome:
    """The outcome of a request: a status, or why there is none. ``url`` is the final URL."""

    status: int | None = None
    trouble: str = ""
    url: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the page exists."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def is_unknown(self) -> bool:
        """Whether we may not ask, which says nothing about the page."""
        return self.trouble == FORBIDDEN


def is_dead(status: int | None, failures: int) -> bool:
    """Whether editors have to find another page."""
    return failures > 0 and (status in GONE or failures >= MOST_FAILURES)


def host_of(url: str) -> str:
    """A URL's server, for rate limiting; "" if there is none to ask."""
    try:
        parts = urlsplit(url)
        return parts.netloc.lower() if parts.scheme in SCHEMES and parts.hostname else ""
    except ValueError:
        return ""
