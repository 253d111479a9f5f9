"""How often one person may write, vote and report within an hour of the clock."""

from __future__ import annotations

import datetime as dt

from courseiva.common.hourly import minutes_to_wait
from discussion.comments.errors import TooMany

# Above what trust lets through unseen (15 an hour, trust/rules.py), so that talkative people are held before they are
# refused; against scripts. Previews are many, because the page asks for one whenever typing stops.
HOURLY = {"comments": 20, "changes": 60, "previews": 240, "votes": 120, "reports": 20}
SALT = "discussion.limits"


def count(what: str, user_id: int, now: dt.datetime) -> None:
    """Count one more; raises TooMany. Without a cache nobody is refused."""
    limit = HOURLY[what]
    if minutes := minutes_to_wait(SALT, f"{what}\n{user_id}", limit, now):
        raise TooMany(limit, what, minutes)
