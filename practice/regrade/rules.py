"""How far a regrade has come; pure."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

PATIENCE = dt.timedelta(minutes=10)
"""Two rounds of the sweeper: whatever lost the task, a worker would have begun by then."""


class Progress(StrEnum):
    DONE = "done"
    RUNNING = "running"
    WAITING = "waiting"
    STALLED = "stalled"


def progress(made_at: dt.datetime, reached: int, done_at: dt.datetime | None, now: dt.datetime) -> Progress:
    """Running once a session has been looked at; waiting before, and stalled when no worker can be there."""
    if done_at:
        return Progress.DONE
    if reached:
        return Progress.RUNNING
    return Progress.STALLED if now - made_at >= PATIENCE else Progress.WAITING
