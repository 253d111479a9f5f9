"""What is waiting for moderators besides the queue."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count, QuerySet, Value

from discussion.comments.models.authors import Appeal
from discussion.comments.models.takedowns import Takedown

DESK, REMEMBERED = "discussion.desk.{}", 30 * 24 * 3600


@dataclass(frozen=True)
class Beside:
    """How many appeals and takedown requests are waiting for an answer."""

    appeals: int
    takedowns: int


def remember_desk(user_id: int) -> None:
    """Remember who has access to the desk: the header queries the database only for them. A lost cache is rebuilt."""
    cache.set(DESK.format(user_id), 1, REMEMBERED)


def has_found_desk(user_id: int) -> bool:
    return bool(cache.get(DESK.format(user_id)))


def waiting_appeals() -> QuerySet[Appeal]:
    """Unanswered appeals, except against a decision reversed meanwhile or from a deleted account."""
    return Appeal.objects.filter(answered_at=None, user__isnull=False, entry__reversal=None)


def waiting_takedowns() -> QuerySet[Takedown]:
    return Takedown.objects.filter(answered_at=None)


def waiting_beside() -> Beside:
    """Both numbers in one query, because every moderators' page shows them."""
    appeals = waiting_appeals().order_by().values_list(Value("appeals")).annotate(n=Count("pk"))
    takedowns = waiting_takedowns().order_by().values_list(Value("takedowns")).annotate(n=Count("pk"))
    counts = dict(appeals.union(takedowns, all=True))
    return Beside(counts.get("appeals", 0), counts.get("takedowns", 0))
