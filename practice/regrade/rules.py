"""A regrade's progress; pure."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

PATIENCE = dt.timedelta(minutes=10)
"""Two rounds of the sweeper: even if the task was lost, a worker would have started by then."""


class Progress(StrEnum):
    DONE = "done"
    RUNNING = "running"
    WAITING = "waiting"
    STALLED = "stalled"


def progress(made_at: dt.datetime, reached: int, done_at: dt.datetime | None, now: dt.datetime) -> Progress:
    """Running once a session has been looked at; waiting before that, and stalled if there can't be a worker."""
    if done_at:
        return Progress.DONE
    if reached:
        return Progress.RUNNING
    return Progress.STALLED if now - made_at >= PATIENCE else Progress.WAITING
