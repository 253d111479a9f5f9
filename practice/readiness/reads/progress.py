"""What a learner's answers say beside the prediction: trend, coverage, pace, sureness, days of work."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncDate

from practice.learners.models import Learner
from practice.readiness.models import ReadinessSnapshot
from practice.sessions.models import Confidence, SessionItem
from practice.sessions.reads.units import seen_units
from practice.start.reads.picking import live_versions
from questions.catalogue.models import Exam

TREND_POINTS = 24
CALENDAR_WEEKS = 12


@dataclass(frozen=True)
class TrendPoint:
    """What was said after a session, in percent; ``x`` is its place from 0 to 100."""

    at: dt.datetime
    chance: int
    low: int
    high: int
    answers: int
    x: float


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
class Sureness:
    """How often answers of one confidence were right."""

    name: str
    right: int
    total: int

    @property
    def percent(self) -> int:
        return round(100 * self.right / self.total)


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


def trend(learner: Learner, exam: Exam) -> list[TrendPoint]:
    """The latest predictions, oldest first, in one statement."""
    rows = ReadinessSnapshot.objects.filter(learner=learner, exam=exam, chance__isnull=False)
    newest = list(rows.order_by("-at", "-session")[:TREND_POINTS])[::-1]
    step = 100 / max(len(newest) - 1, 1)
    return [
        TrendPoint(
            at=row.at,
            chance=round(100 * (row.chance or 0)),
            low=round(100 * (row.low or 0) / row.count),
            high=round(100 * (row.high or 0) / row.count),
            answers=row.answers,
            x=round(place * step, 1),
        )
        for place, row in enumerate(newest)
    ]


def coverage(learner: Learner, exam: Exam) -> dict[int, Coverage]:
    """By domain id, in one statement."""
    seen = Count("unit", distinct=True, filter=Q(unit__in=seen_units(learner)))
    total = Count("unit", distinct=True)
    rows = live_versions(exam).values_list("domain_id").annotate(total=total, seen=seen).order_by()
    return {domain: Coverage(domain, total, shown) for domain, total, shown in rows}


def unseen_mocks(wanted: dict[int, int], found: dict[int, Coverage]) -> int:
    """How many mocks of this make-up can still be drawn from questions never shown."""
    return min((found[d].fresh // count if d in found else 0 for d, count in wanted.items() if count), default=0)


def sureness(learner: Learner, exam: Exam) -> list[Sureness]:
    """By confidence, surest first, of first exposures; in one statement."""
    mine = SessionItem.objects.filter(session__learner=learner, session__exam=exam, first_exposure=True)
    rows = mine.filter(confidence__isnull=False, is_correct__isnull=False).values_list("confidence")
    counted = rows.annotate(n=Count("position"), right=Count("position", filter=Q(is_correct=True)))
    found = [(confidence or 0, right, total) for confidence, total, right in counted.order_by("-confidence")]
    return [Sureness(Confidence(confidence).label, right, total) for confidence, right, total in found]


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
