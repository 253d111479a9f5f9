"""Questions due for review, today and in the coming days."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from practice.reviews.reads import Today, left_today
from practice.reviews.rules import DAY, cap_at_exam, spread
from practice.sessions.reads.tally.reads import Current
from practice.start.reads.bank import Bank
from practice.start.reads.kept import Kept


@dataclass(frozen=True)
class DueToday:
    """``count`` reviews are left today, ``waiting`` more are due beyond the 20 of a day, ``done`` were done today."""

    count: int
    waiting: int
    done: int

    @property
    def is_over(self) -> bool:
        """Whether the day's reviews are done."""
        return self.done > 0 and self.count == 0


@dataclass(frozen=True)
class DueDay:
    """One of the learner's days, and its number of reviews."""

    date: dt.date
    count: int


@dataclass(frozen=True)
class DueForecast:
    """Today, and 14 days starting with it. ``total`` is all cards, including those due later."""

    today: DueToday
    days: list[DueDay]
    total: int


@dataclass(frozen=True)
class Reviews:
    """A learner's cards, with what they did today and what is live in the bank."""

    today: Today
    bank: Bank
    now: Current
    kept: Kept
    exam_date: dt.date | None

    @cached_property
    def due(self) -> DueToday:
        """How many reviews are due today."""
        tally = self.now.tally.days.get(self.today.date)
        done = (tally.reviews if tally else 0) + len(self.kept.turned)
        found = len({unit for unit, _, is_due in self._usable if is_due})
        count = min(found, left_today(done))
        return DueToday(count=count, waiting=found - count, done=done)

    @cached_property
    def days(self) -> list[dt.date]:
        """The day each card is due; today for overdue ones."""
        today = self.today.date
        return [today if is_due else self._later_day(due) for _, due, is_due in self._usable]

    def _later_day(self, due: int) -> dt.date:
        """The day of a card that isn't due today."""
        there = dt.datetime.fromtimestamp(due, self.today.zone).date()
        return max(cap_at_exam(there, self.exam_date, self.today.date), self.today.date + DAY)

    def forecast(self) -> DueForecast:
        """The reviews of the next 14 days if each day's are done."""
        held = spread(self.days, self.today.date, left_today(self.due.done))
        coming = [DueDay(self.today.date + ahead * DAY, count) for ahead, count in enumerate(held)]
        return DueForecast(today=self.due, days=coming, total=len(self.days))

    def arriving(self, exam_date: dt.date, most_days: int) -> list[int]:
        """How many reviews become due on each day from tomorrow to the exam, ``most_days`` at most."""
        days = Counter(self.days)
        until = min((exam_date - self.today.date).days, most_days)
        return [days[self.today.date + ahead * DAY] for ahead in range(1, until + 1)]

    @cached_property
    def _usable(self) -> list[tuple[int, int, bool]]:
        """For each card that a review could use: the unit, when it is due (as in ``Kept``), and whether that is today.

        On exam day every card is due. A unit answered or turned today isn't due again today, even if its card doesn't
        include that yet.
        """
        done = self.bank.units_of(self.now.tally.on(self.today.date)) | self.bank.units_of(self.kept.turned)
        is_exam_day = self.exam_date == self.today.date
        units, end = self.bank.units, self.today.end.timestamp()
        mine = (units.get(question, 0) for question in self.kept.cards)
        reviewable = self.bank.reviewable(mine, self.now.tally.shown, self.now.locked)
        return [
            (unit, due, (is_exam_day or due < end) and unit not in done)
            for question, due in self.kept.cards.items()
            if (unit := units.get(question, 0)) in reviewable
        ]
