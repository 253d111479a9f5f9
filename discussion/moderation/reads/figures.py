"""Moderation figures: how long decisions take, how many are reversed, and how much by newcomers is queued."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q

from discussion.comments.models.authors import Appeal
from discussion.comments.models.comments import Comment, Hit, State
from discussion.comments.models.moderation import Act, CommentReport, LogEntry

PERIODS = (7, 30, 90)
DECISIONS = (Act.APPROVE, Act.REJECT, Act.SPAM, Act.EDIT_OUT)
MOST = 20_000
"""At most this many decisions are read, the latest ones."""


@dataclass(frozen=True)
class Figures:
    """Figures of the last ``days``. ``granted`` and ``answered`` are appeals answered in that time.

    ``typical`` and ``slow`` are the median and the ninth decile of waiting times. ``queued`` are comments by people who
    joined in that time that screening or readers sent to moderators.
    """

    days: int
    decisions: int
    typical: dt.timedelta | None
    slow: dt.timedelta | None
    undone: int
    answered: int
    granted: int
    joined: int
    queued: int

    @property
    def per_hundred(self) -> float | None:
        """Comments in the queue per 100 people who joined."""
        return 100 * self.queued / self.joined if self.joined else None


@dataclass(frozen=True)
class _Decision:
    at: dt.datetime
    waited: dt.timedelta | None
    is_undone: bool


def figures(now: dt.datetime) -> list[Figures]:
    """The figures for each period, in a constant number of queries."""
    made = _decisions(now - dt.timedelta(days=max(PERIODS)))
    return [_figures(days, now - dt.timedelta(days=days), made) for days in PERIODS]


def queued_of_newcomers(since: dt.datetime) -> tuple[int, int]:
    """How many people have joined since then, and how many of their comments were queued: screening found something,
    readers reported it, or it is held."""
    brought = Q(state=State.HELD) | Q(Exists(Hit.objects.filter(comment=OuterRef("pk"))))
    brought |= Q(Exists(CommentReport.objects.filter(comment=OuterRef("pk"))))
    joined = get_user_model().objects.filter(date_joined__gte=since).count()
    return joined, Comment.objects.filter(brought, author__date_joined__gte=since).count()


def _figures(days: int, since: dt.datetime, made: list[_Decision]) -> Figures:
    lately = [each for each in made if each.at >= since]
    waits = sorted(each.waited for each in lately if each.waited is not None)
    appeals = Appeal.objects.filter(answered_at__gte=since).values_list("is_granted", flat=True)
    joined, queued = queued_of_newcomers(since)
    return Figures(
        days=days,
        decisions=len(lately),
        typical=waits[len(waits) // 2] if waits else None,
        slow=waits[(9 * len(waits)) // 10] if waits else None,
        undone=sum(each.is_undone for each in lately),
        answered=len(appeals),
        granted=sum(filter(None, appeals)),
        joined=joined,
        queued=queued,
    )


def _decisions(since: dt.datetime) -> list[_Decision]:
    entries = LogEntry.objects.filter(at__gte=since, act__in=DECISIONS, comment__isnull=False)
    rows = list(entries.values_list("at", "before", "after", "reversal")[:MOST])
    times = _report_times(pk for _, _, after, _ in rows for pk in after.get("reports", []))
    return [_Decision(at, _waited(at, before, after, times), bool(undone)) for at, before, after, undone in rows]


def _report_times(ids: Iterable[int]) -> dict[int, dt.datetime]:
    return dict(CommentReport.objects.filter(pk__in=list(ids)).values_list("pk", "made_at"))


def _waited(
    at: dt.datetime, before: dict[str, Any], after: dict[str, Any], times: dict[int, dt.datetime]
) -> dt.timedelta | None:
    """The time since it was held or first reported; None if it wasn't waiting."""
    if before["state"] == State.HELD:
        return at - dt.datetime.fromisoformat(before["state_at"])
    reported = [times[pk] for pk in after.get("reports", []) if pk in times]
    return at - min(reported) if reported else None
