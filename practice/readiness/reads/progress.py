"""What a learner's answers say besides the prediction: trend, coverage, pace, confidence, days of work."""

from __future__ import annotations

import datetime as dt
import statistics
from collections import Counter
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner
from practice.readiness.models import ReadinessSnapshot
from practice.sessions.models import Mode
from practice.sessions.reads.tally.rules import Tally
from questions.catalogue.models import Exam

TREND_POINTS = 24
SAID = (
    "at", "chance", "low", "high", "count", "answers", "session__mode", "session__score", "session__total",
)  # fmt: skip
"""As ``_Said`` names them."""
CALENDAR_WEEKS = 12
"""The tally keeps 91 days for these (``DAYS`` in sessions/reads/tally/rules.py): a longer calendar would begin with
empty weeks."""
PACE_BARS = 8
"""An even number: bars reach to twice the exam's pace, so the pace itself is an edge, and each bar is on one side of
it."""
PACE_LEAST = 10
"""Fewer answers say little about pace: one quick guess would promise thirty questions a minute."""
EDGE = 80
"""A centred label reaches half of LABEL_WIDTH to either side: beyond 87 it would leave the chart."""
LABEL_WIDTH = 26
"""Percent of the chart that the label "Mock 78%" takes on the narrowest phone."""


@dataclass(frozen=True)
class TrendPoint:
    """The prediction after a session, in percent; ``x`` is its position in time from 0 to 100.

    ``low`` to ``high`` is the range of the next score. ``mock`` is the session's score if it was a mock.
    """

    at: dt.datetime
    chance: int
    low: int
    high: int
    answers: int
    x: float
    mock: int | None

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    @property
    def side(self) -> str:
        """Which end of its label is at the point, so that none leaves the chart."""
        return "end" if self.x > EDGE else "start" if self.x < 100 - EDGE else "middle"

    @property
    def label_start(self) -> float:
        """Where its label starts."""
        return self.x - {"start": 0, "middle": LABEL_WIDTH / 2, "end": LABEL_WIDTH}[self.side]


@dataclass(frozen=True)
class Trend:
    """The latest predictions, oldest first."""

    points: list[TrendPoint]

    @property
    def band(self) -> str:
        """The outline of the ranges, for a 100 by 100 chart with the best score at the top."""
        upper = [(point.x, 100 - point.high) for point in self.points]
        lower = [(point.x, 100 - point.low) for point in reversed(self.points)]
        return " ".join(f"{x:g},{y:g}" for x, y in [*upper, *lower])

    @property
    def line(self) -> str:
        """The line through the middle of each range."""
        return " ".join(f"{point.x:g},{100 - point.middle:g}" for point in self.points)

    @property
    def mocks(self) -> list[TrendPoint]:
        return [point for point in self.points if point.mock is not None]

    @property
    def labelled(self) -> list[TrendPoint]:
        """The mocks whose labels fit, newest first; the table has them all."""
        found: list[TrendPoint] = []
        for point in reversed(self.mocks):
            if not found or point.label_start + LABEL_WIDTH <= found[-1].label_start:
                found.append(point)
        return found


@dataclass(frozen=True)
class PaceBar:
    """Answers that took from ``low`` to less than ``high`` seconds; the last bar has no upper end.

    ``x``, ``top`` and ``right_top`` are where it is drawn, in percent of the chart from its left and top edges.
    """

    low: int
    high: int | None
    right: int
    wrong: int
    x: float
    top: int
    right_top: int

    @property
    def wrong_height(self) -> int:
        return self.right_top - self.top

    @property
    def right_height(self) -> int:
        return 100 - self.right_top


@dataclass(frozen=True)
class Day:
    """A day of the calendar; ``level`` 0 to 3 by how much was answered."""

    date: dt.date
    answers: int
    minutes: int

    @property
    def name(self) -> str:
        """ "3 November". For the 84 days of a calendar, Django's filter takes longer than reading the page's data."""
        return f"{self.date.day} {self.date:%B}"

    @property
    def level(self) -> int:
        """None, a little, a session, a lot."""
        return sum(self.answers >= least for least in (1, 10, 30))


def trend(learner: Learner, exam: Exam) -> Trend:
    """The latest predictions, in one statement."""
    newest = [_Said(*row) for row in _newest(learner.pk, exam.pk)][::-1]
    first, span = (newest[0].at, newest[-1].at - newest[0].at) if newest else (None, None)
    return Trend(
        [
            TrendPoint(
                at=said.at,
                chance=round(100 * said.chance),
                low=round(100 * (said.low or 0) / said.asked),
                high=round(100 * (said.high or 0) / said.asked),
                answers=said.answers,
                x=round(100 * ((said.at - first) / span), 1) if first and span else 50,
                mock=said.mock_score,
            )
            for said in newest
        ]
    )


class _Said(NamedTuple):
    """A prediction with the session it followed."""

    at: dt.datetime
    chance: float
    low: int | None
    high: int | None
    asked: int
    answers: int
    mode: str
    score: int | None
    total: int

    @property
    def mock_score(self) -> int | None:
        if self.mode != Mode.MOCK or self.score is None or not self.total:
            return None
        return round(100 * self.score / self.total)


@composed_once
def _newest(learner: int, exam: int) -> QuerySet[ReadinessSnapshot, Any]:
    rows = ReadinessSnapshot.objects.filter(learner=learner, exam=exam, chance__isnull=False)
    # Ordered by the id itself: with the default order of sessions, every session of a long past would be looked up.
    return rows.order_by("-at", "-pk").values_list(*SAID)[:TREND_POINTS]


def own_pace(tally: Tally) -> int | None:
    """The median seconds of the learner's latest answers; None below PACE_LEAST of them."""
    latest = [seconds for seconds, _ in tally.paces]
    return round(statistics.median(latest)) if len(latest) >= PACE_LEAST else None


def pace_bars(tally: Tally, exam_seconds: int) -> list[PaceBar]:
    """The latest marked answers by time taken, with the exam's pace between the fourth bar and the fifth.

    None below PACE_LEAST answers.
    """
    rows = [(seconds, is_right) for seconds, is_right in tally.paces if is_right is not None]
    if len(rows) < PACE_LEAST:
        return []
    edges = [round(exam_seconds * place * 2 / PACE_BARS) for place in range(PACE_BARS)]
    counts = Counter((sum(seconds >= edge for edge in edges) - 1, is_right) for seconds, is_right in rows)
    tallest = max(counts[place, True] + counts[place, False] for place in range(PACE_BARS))
    return [
        PaceBar(
            low=edge,
            high=edges[place + 1] if place + 1 < PACE_BARS else None,
            right=counts[place, True],
            wrong=counts[place, False],
            x=100 * place / PACE_BARS,
            top=100 - round(100 * (counts[place, True] + counts[place, False]) / tallest),
            right_top=100 - round(100 * counts[place, True] / tallest),
        )
        for place, edge in enumerate(edges)
    ]


def calendar(tally: Tally, today: dt.date) -> list[list[Day]]:
    """Weeks from Monday to Sunday, the current week last."""
    first = today - dt.timedelta(days=today.weekday(), weeks=CALENDAR_WEEKS - 1)
    days = []
    for date in (first + dt.timedelta(days=n) for n in range(7 * CALENDAR_WEEKS)):
        counted = tally.days.get(date)
        days.append(Day(date, counted.answers, round(counted.seconds / 60)) if counted else Day(date, 0, 0))
    return [days[n : n + 7] for n in range(0, len(days), 7)]
