"""Hourly limits per person, counted in the cache that all processes share."""

from __future__ import annotations

import datetime as dt

from django.core.cache import cache
from django.utils.crypto import salted_hmac

HOUR = 3600


def minutes_to_wait(salt: str, who: str, limit: int, now: dt.datetime) -> int:
    """Count one more; returns 0 within the limit, otherwise the minutes until the next hour. Without a cache, always 0.

    ``salt`` separates the things that are counted. The key contains no address or user id.
    """
    hour, second = divmod(int(now.timestamp()), HOUR)
    key = salted_hmac(salt, f"{who}\n{hour}", algorithm="sha256").hexdigest()
    cache.add(key, 0, HOUR)
    try:
        sent = cache.incr(key)
    except ValueError:  # it expired in between
        sent = 1
    return (HOUR - second + 59) // 60 if sent > limit else 0
