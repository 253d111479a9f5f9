"""A regrade's progress; pure."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

PATIENCE = dt.timedelta(minutes=10)
"""Two rounds of the sweeper: even if the task was lost or killed, a worker would have taken it up by then."""


class Progress(StrEnum):
    DONE = "done"
    RUNNING = "running"
    WAITING = "waiting"
    STALLED = "stalled"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True)
class Moves:
    """What a regrade records of its run. ``reached``: the last session looked at, 0 before the first."""

    made_at: dt.datetime
    reached: int
    moved_at: dt.datetime | None
    failed_at: dt.datetime | None
    done_at: dt.datetime | None


def progress(moves: Moves, now: dt.datetime) -> Progress:
    """Running once a session has been looked at, waiting before that.

    If nothing has moved for PATIENCE, it has stopped or, before its first session, stalled: there can't be a worker.
    Failed if its task ended with an error and it hasn't got further since.
    """
    if moves.done_at:
        return Progress.DONE
    if moves.failed_at:
        return Progress.FAILED
    if now - (moves.moved_at or moves.made_at) < PATIENCE:
        return Progress.RUNNING if moves.reached else Progress.WAITING
    return Progress.STOPPED if moves.reached else Progress.STALLED
