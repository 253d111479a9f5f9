"""What time a reopened session has; pure."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

MOST_DAYS = 14
"""After so long its learner has read the result, and answering it again would measure memory."""


@dataclass(frozen=True)
class Times:
    """Of a session that was closed: what it ``allowed``, and how long its clock ``stood`` before."""

    started: dt.datetime
    allowed: dt.timedelta
    stood: dt.timedelta

    def left_at(self, last_answer: dt.datetime | None) -> int:
        """Whole minutes that were left at the last answer, which no step of the clock has moved; at least one."""
        used = (last_answer or self.started) - self.started - self.stood
        left = self.allowed - min(max(used, dt.timedelta()), self.allowed)
        return max(1, -(-left // dt.timedelta(minutes=1)))

    @property
    def most(self) -> int:
        """As many minutes as it had from the beginning."""
        return max(1, -(-self.allowed // dt.timedelta(minutes=1)))

    def closed_by_mistake(self, left: dt.timedelta, now: dt.datetime) -> dt.timedelta:
        """For how long it was closed, if at ``now`` so much is left: all the time that was neither used nor stood."""
        return max(now - self.started - self.stood - (self.allowed - left), dt.timedelta())
