"""On which days and hours a learner is reminded; pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

FROM_HOUR, TO_HOUR = 7, 20
"""In the learner's time zone. After a night's outage the email is still sent, but not in the evening."""


def mask_of(weekdays: Iterable[int]) -> int:
    """A bit for each weekday; Monday is 0."""
    return sum(1 << day for day in set(weekdays))


def weekdays_of(mask: int) -> list[int]:
    """The weekdays of a mask, Monday first."""
    return [day for day in range(7) if mask >> day & 1]


def is_time(mask: int, reminded_on: dt.date | None, local: dt.datetime) -> bool:
    """Whether this is a chosen day that hasn't been handled yet, and not at night."""
    is_day = bool(mask >> local.weekday() & 1)
    return is_day and reminded_on != local.date() and FROM_HOUR <= local.hour < TO_HOUR
