"""What a learner's answers say beside the prediction: trend, coverage, pace, sureness, days of work."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate

from practice.learners.models import Learner
from practice.measurement.ability.reads import PACE_ANSWERS
from practice.readiness.models import ReadinessSnapshot
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.reads.marked import marked_answers
from practice.sessions.reads.units import seen_units
from practice.start.reads.picking import live_versions
from questions.catalogue.models import Exam

TREND_POINTS = 24
CALENDAR_WEEKS = 12
PACE_BARS = 8
PACE_LEAST = 10
"""Fewer answers say little about a pace: one quick guess would promise thirty questions in a minute."""
EDGE = 80


@dataclass(frozen=True)
class TrendPoint:
    """What was said after a session, in percent; ``x`` is its place in time from 0 to 100.

    ``low`` to ``high`` is the range of the next score. ``mock`` is the score of the session where it was a mock.
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
        """Which end of its label stands at the point, so that none leaves the picture."""
        return "end" if self.x > EDGE else "start" if self.x < 100 - EDGE else "middle"


@dataclass(frozen=True)
class Trend:
    """The latest predictions, oldest first."""

    points: list[TrendPoint]

    @property
    def band(self) -> str:
        """The outline of the ranges, for a picture of 100 by 100 with the best score at the top."""
        upper = [(point.x, 100 - point.high) for point in self.points]
        lower = [(point.x, 100 - point.low) for point in reversed(self.points)]
        return " ".join(f"{x:g},{y:g}" for x, y in [*upper, *lower])

    @property
    def line(self) -> str:
        """Through the middle of each range."""
        return " ".join(f"{point.x:g},{100 - point.middle:g}" for point in self.points)

    @property
    def mocks(self) -> list[TrendPoint]:
        return [point for point in self.points if point.mock is not None]


@dataclass(frozen=True)
class Coverage:
    """Of a domain's units, how many this learner has met; ``fresh`` are left for the first time."""

    domain: int
    total: int
    seen: int

    @property
    def fresh(self) -> int:
        """Not met yet."""
        return self.total - self.seen


@dataclass(frozen=True)
class PaceBar:
    """Answers that took from ``low`` to less than ``high`` seconds; the last bar has no upper end.

    ``x``, ``top`` and ``right_top`` are where it is drawn, in percent of the picture from its left and upper edges.
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
    def level(self) -> int:
        """None, a little, a session, a lot."""
        return sum(self.answers >= least for least in (1, 10, 30))


def trend(learner: Learner, exam: Exam) -> Trend:
    """The latest predictions, in one statement."""
    rows = ReadinessSnapshot.objects.filter(learner=learner, exam=exam, chance__isnull=False).select_related("session")
    newest = list(rows.order_by("-at", "-session")[:TREND_POINTS])[::-1]
    first, span = (newest[0].at, newest[-1].at - newest[0].at) if newest else (None, None)
    return Trend(
        [
            TrendPoint(
                at=row.at,
                chance=round(100 * (row.chance or 0)),
                low=round(100 * (row.low or 0) / row.count),
                high=round(100 * (row.high or 0) / row.count),
                answers=row.answers,
                x=round(100 * ((row.at - first) / span), 1) if first and span else 50,
                mock=_mock_score(row.session),
            )
            for row in newest
        ]
    )


def _mock_score(session: PracticeSession) -> int | None:
    if session.mode != Mode.MOCK or session.score is None or not session.total:
        return None
    return round(100 * session.score / session.total)


def coverage(learner: Learner, exam: Exam) -> dict[int, Coverage]:
    """By domain id, in one statement."""
    seen = Count("unit", distinct=True, filter=Q(unit__in=seen_units(learner)))
    total = Count("unit", distinct=True)
    rows = live_versions(exam).values_list("domain_id").annotate(total=total, seen=seen).order_by()
    return {domain: Coverage(domain, total, shown) for domain, total, shown in rows}


def unseen_mocks(wanted: dict[int, int], found: dict[int, Coverage]) -> int:
    """How many mocks of this make-up can still be drawn from questions never shown."""
    return min((found[d].fresh // count if d in found else 0 for d, count in wanted.items() if count), default=0)


def pace_bars(learner: Learner, exam: Exam, exam_seconds: int) -> list[PaceBar]:
    """The latest marked answers by the time they took, the exam's pace between the fourth bar and the fifth.

    In one statement; none below PACE_LEAST answers.
    """
    mine = marked_answers(learner).filter(session__exam=exam, seconds__gt=0).order_by("-answered_at")
    rows = list(mine.values_list("seconds", "is_correct")[:PACE_ANSWERS])
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


def calendar(learner: Learner, exam: Exam, today: dt.date, zone: dt.tzinfo) -> list[list[Day]]:
    """Weeks of seven days from Monday on, the present week last; in one statement."""
    first = today - dt.timedelta(days=today.weekday(), weeks=CALENDAR_WEEKS - 1)
    since = dt.datetime.combine(first, dt.time.min, zone)
    mine = SessionItem.objects.filter(session__learner=learner, session__exam=exam, session__discarded_at=None)
    rows = mine.filter(answered_at__gte=since).values_list(TruncDate("answered_at", tzinfo=zone))
    counted = rows.annotate(answers=Count("position"), seconds=Sum("seconds")).order_by()
    found = {day: Day(day, answers, round((seconds or 0) / 60)) for day, answers, seconds in counted}
    days = [first + dt.timedelta(days=n) for n in range(7 * CALENDAR_WEEKS)]
    filled = [found.get(day, Day(day, 0, 0)) for day in days]
    return [filled[n : n + 7] for n in range(0, len(filled), 7)]
