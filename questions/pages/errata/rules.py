"""What counts as an erratum, and when a question is due for another check."""

from __future__ import annotations

import datetime as dt

REREAD_DAYS = 180
"""Cloud products change within half a year. The page says openly that a check is overdue, as nobody could promise to
keep up."""

# What a line of a history or of the errata is about; the first four are changes by a version.
FIRST, WORDING, MEANING, KEY = "first", "wording", "meaning", "key"
REPORTED, CHECKING, RETIRED = "reported", "checking", "retired"
READ, OPENED = "read", "opened"
CORRECTIONS = (WORDING, MEANING, KEY, REPORTED)
KIND_OF_CHANGE = {"first": FIRST, "typo": WORDING, "semantic": MEANING, "key": KEY}


def reread_by(reviewed: dt.date) -> dt.date:
    """From this day on, the page says that nobody has checked the question against its sources lately."""
    return reviewed + dt.timedelta(days=REREAD_DAYS)
