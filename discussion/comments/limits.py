"""Hourly limits per person on writing, voting and reporting."""

from __future__ import annotations

import datetime as dt

from courseiva.common.hourly import minutes_to_wait
from discussion.comments.errors import TooMany

# Above the number shown at once to authors with trust (15 an hour, trust/rules.py), so that people who write a lot are
# held before they are refused: these limits are against scripts. Many previews are allowed, because people look at one
# after every few words of code.
HOURLY = {"comments": 20, "changes": 60, "previews": 240, "votes": 120, "reports": 20}
SALT = "discussion.limits"


def count(what: str, user_id: int, now: dt.datetime) -> None:
    """Count one more; raises TooMany. Without a cache nobody is refused."""
    limit = HOURLY[what]
    if minutes := minutes_to_wait(SALT, f"{what}\n{user_id}", limit, now):
        raise TooMany(limit, what, minutes)
