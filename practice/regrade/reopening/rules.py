"""How much time a reopened session has; pure."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

MOST_DAYS = 14
"""After this long, the learner has read the result, and answering again would measure memory."""


@dataclass(frozen=True)
class Times:
    """A closed session: the time ``allowed``, and how long its clock ``stood`` still before."""

    started: dt.datetime
    allowed: dt.timedelta
    stood: dt.timedelta

    def left_at(self, last_answer: dt.datetime | None) -> int:
        """Whole minutes left at the last answer, which no clock change has moved; at least one."""
        used = (last_answer or self.started) - self.started - self.stood
        left = self.allowed - min(max(used, dt.timedelta()), self.allowed)
        return max(1, -(-left // dt.timedelta(minutes=1)))

    @property
    def most(self) -> int:
        """The minutes it had originally."""
        return max(1, -(-self.allowed // dt.timedelta(minutes=1)))

    def closed_by_mistake(self, left: dt.timedelta, now: dt.datetime) -> dt.timedelta:
        """How long it was closed, if ``left`` remains at ``now``: all the time that was neither used nor paused."""
        return max(now - self.started - self.stood - (self.allowed - left), dt.timedelta())
