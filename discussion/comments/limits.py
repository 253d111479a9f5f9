"""How often one person may write within an hour of the clock, counted in the cache that all processes share."""

from __future__ import annotations

import datetime as dt

from django.core.cache import cache
from django.utils.crypto import salted_hmac

from discussion.comments.errors import TooMany

HOUR = 3600
HOURLY = {"comments": 20, "changes": 60, "previews": 240, "votes": 120, "reports": 20}
SALT = "discussion.limits"


def count(what: str, user_id: int, now: dt.datetime) -> None:
    """Count one more; raises TooMany. Without a cache nobody is refused."""
    limit = HOURLY[what]
    hour, second = divmod(int(now.timestamp()), HOUR)
    key = salted_hmac(SALT, f"{what}\n{user_id}\n{hour}", algorithm="sha256").hexdigest()
    cache.add(key, 0, HOUR)
    try:
        sent = cache.incr(key)
    except ValueError:  # it was dropped in between
        sent = 1
    if sent > limit:
        raise TooMany(limit, what, (HOUR - second + 59) // 60)
