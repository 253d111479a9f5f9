"""What waits for a moderator: what is held and what readers reported, in the order in which it is looked at.

Live harm first (everybody can read it, and it is reported as a leak or abuse), then the oldest; one author's together.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce

from discussion.comments.models.comments import Comment, State
from discussion.comments.models.moderation import LIVE_HARM, Claim, CommentReport, LogEntry
from discussion.moderation.reads.cards import Card, cards_of

PER_PAGE = 20
MOST_DONE = 50


@dataclass(frozen=True)
class Backlog:
    """How much waits: the number, and since when the oldest and the middle one do."""

    count: int
    oldest: dt.datetime | None
    median: dt.datetime | None


@dataclass(frozen=True)
class QueuePage:
    """One page of the queue. ``done`` are this moderator's latest acts, which can be undone from here."""

    cards: list[Card]
    pages: Page[Any]
    backlog: Backlog
    done: list[LogEntry]
    mine: int
    only_mine: bool

    @property
    def is_taken(self) -> bool:
        """Others are on all of it, so that there is nothing to decide on this page."""
        return bool(self.cards) and all(card.is_taken or card.is_own for card in self.cards)


def waiting() -> QuerySet[Any]:
    """Everything that waits, with ``since`` and ``harm`` (0 for live harm, else 1)."""
    reports = CommentReport.objects.filter(closed_at=None)
    # Deleted by its author or not: a report of it is answered, as long as its text is kept.
    in_question = Q(state=State.VISIBLE) | Q(state=State.HELD, deleted_at__isnull=False)
    reported = in_question & Q(pk__in=reports.values("comment"))
    of_row = reports.filter(comment=OuterRef("pk"))
    rows = Comment.objects.filter(Q(state=State.HELD, deleted_at=None) | reported)
    return rows.annotate(
        since=Case(
            When(state=State.HELD, deleted_at=None, then=F("created_at")),
            default=Subquery(of_row.order_by("made_at").values("made_at")[:1]),
        ),
        harm=Case(
            When(Q(state=State.VISIBLE, deleted_at=None) & Exists(of_row.filter(reason__in=LIVE_HARM)), then=Value(0)),
            default=Value(1),
            output_field=IntegerField(),
        ),
    )


def in_order() -> QuerySet[Any]:
    """The same in the order of the queue: an author's comments stand where the oldest of them does."""
    author = Coalesce(F("author"), -F("pk"))
    first = Window(Min("since"), partition_by=[F("harm"), author])
    return waiting().annotate(together=author, first=first).order_by("harm", "first", "together", "since", "pk")


def waiting_count() -> int:
    """How many comments wait for a moderator."""
    return waiting().count()


def backlog() -> Backlog:
    """How much waits, and for how long."""
    rows = waiting()
    facts = rows.aggregate(count=Count("pk"), oldest=Min("since"))
    middle = rows.order_by("since").values_list("since", flat=True)[facts["count"] // 2 :].first()
    return Backlog(facts["count"], facts["oldest"], middle)


def free_ids(count: int, now: dt.datetime, moderator_id: int) -> list[int]:
    """The first comments of the queue that no moderator holds and somebody else wrote."""
    rows = in_order().exclude(pk__in=Claim.objects.filter(until__gt=now).values("comment"))
    rows = rows.exclude(author=moderator_id)
    return list(rows.values_list("pk", flat=True)[:count])


def queue_page(
    moderator_id: int, now: dt.datetime, number: str = "", done: Iterable[int] = (), *, only_mine: bool = False
) -> QueuePage:
    """A page of the queue as this moderator sees it, in the same number of statements however much waits."""
    own_claims = Claim.objects.filter(moderator=moderator_id, until__gt=now).values("comment")
    rows = in_order()
    rows = (rows.filter(pk__in=own_claims) if only_mine else rows).values_list("pk", "since")
    pages = Paginator(rows, PER_PAGE).get_page(number)
    return QueuePage(
        cards=cards_of(dict(pages.object_list), moderator_id, now),
        pages=pages,
        backlog=backlog(),
        done=_done(moderator_id, done),
        mine=waiting().filter(pk__in=own_claims).count(),
        only_mine=only_mine,
    )


def find_card(comment_id: int, moderator_id: int, now: dt.datetime) -> Card | None:
    """Any comment with a text to read, also a deleted one's that is kept, as a moderator sees it."""
    cards = cards_of({comment_id: None}, moderator_id, now)
    return cards[0] if cards else None


def _done(moderator_id: int, ids: Iterable[int]) -> list[LogEntry]:
    """Those of one's own acts that were not reversed yet."""
    rows = LogEntry.objects.filter(pk__in=list(ids)[:MOST_DONE], by=moderator_id, reversal=None, reverses=None)
    return list(rows.select_related("comment__version", "comment__author", "question__live_version", "subject"))
