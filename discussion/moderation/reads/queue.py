"""The moderators' queue: held and reported comments, in working order.

Live harm first (visible, and reported as a leak or abuse), then the oldest; one author's together.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
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
)

from discussion.comments.models.comments import Comment, State
from discussion.comments.models.moderation import LIVE_HARM, Act, Claim, CommentReport, LogEntry
from discussion.moderation.reads.cards import Card, cards_of
from discussion.moderation.reads.filters import Offers, Wanted, chosen, offers, sorted_by, urgent_first

PER_PAGE = 20
"""Each is a card with its context, its author's record and its reports: the page grows with it, the number of
statements doesn't."""
MOST_DONE = 50
"""As many as one decision can take (``MOST`` in forms.py): all of it can be undone from here."""
WHOLE = Wanted()
# Kept for a minute: counting goes through every open report, and every page for moderators shows the count.
COUNT_KEY, COUNT_KEPT = "discussion.waiting", 60


@dataclass(frozen=True)
class Backlog:
    """The backlog: the number, since when the oldest and median ones have waited, and how many are claimed."""

    count: int
    oldest: dt.datetime | None
    median: dt.datetime | None
    mine: int = 0


@dataclass(frozen=True)
class QueuePage:
    """One page of the queue. ``done`` are this moderator's latest actions, which can be undone from here."""

    cards: list[Card]
    pages: Page[Any]
    backlog: Backlog
    done: list[LogEntry]
    wanted: Wanted
    offers: Offers

    @property
    def told(self) -> int:
        """How many people get a notice of these actions."""
        return len({entry.subject_id for entry in self.done if hasattr(entry, "notice")})

    @property
    def is_taken(self) -> bool:
        """Whether others have claimed all of it, so that there is nothing to decide here."""
        return bool(self.cards) and all(card.is_taken or card.is_own for card in self.cards)


def waiting() -> QuerySet[Any]:
    """All waiting comments, with ``since`` and ``harm`` (0 for live harm, else 1)."""
    reports = CommentReport.objects.filter(closed_at=None)
    # Even if its author deleted it: reports are answered as long as the text is kept.
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
    """The same in queue order."""
    return urgent_first(waiting())


def decidable(act: Act) -> Q:
    """An author's comments to which the action applies: waiting ones; for a rejection and for spam, visible ones
    too."""
    reported = Q(pk__in=CommentReport.objects.filter(closed_at=None).values("comment"))
    visible = Q(state=State.VISIBLE) & (reported if act == Act.APPROVE else Q())
    return Q(deleted_at=None) & (Q(state=State.HELD) | visible)


def waiting_count() -> int:
    """How many comments are waiting for a moderator."""
    return waiting().count()


def known_count() -> int:
    """The same, at most a minute old: for the header on every page a moderator sees."""
    return int(cache.get_or_set(COUNT_KEY, waiting_count, COUNT_KEPT) or 0)


def backlog(claimed: QuerySet[Any] | None = None) -> Backlog:
    """How many are waiting, for how long, and how many of them are ``claimed``."""
    rows = waiting()
    mine = Q(pk__in=Claim.objects.none() if claimed is None else claimed)
    facts = rows.aggregate(count=Count("pk"), oldest=Min("since"), mine=Count("pk", filter=mine))
    middle = rows.order_by("since").values_list("since", flat=True)[facts["count"] // 2 :].first()
    return Backlog(facts["count"], facts["oldest"], middle, facts["mine"])


def free_ids(count: int, now: dt.datetime, moderator_id: int, wanted: Wanted = WHOLE) -> list[int]:
    """The first matching comments that are unclaimed and not the moderator's own."""
    rows = chosen(waiting(), wanted, now).exclude(pk__in=Claim.objects.filter(until__gt=now).values("comment"))
    rows = sorted_by(rows.exclude(author=moderator_id), wanted.sort)
    return list(rows.values_list("pk", flat=True)[:count])


def queue_page(
    moderator_id: int, now: dt.datetime, number: str = "", done: Iterable[int] = (), wanted: Wanted = WHOLE
) -> QueuePage:
    """A page of the queue as this moderator sees it, in a constant number of queries."""
    own_claims = Claim.objects.filter(moderator=moderator_id, until__gt=now).values("comment")
    rows = chosen(waiting(), wanted, now)
    rows = sorted_by(rows.filter(pk__in=own_claims) if wanted.mine else rows, wanted.sort)
    pages = Paginator(rows.values_list("pk", "since"), PER_PAGE).get_page(number)
    return QueuePage(
        cards=cards_of(dict(pages.object_list), moderator_id, now),
        pages=pages,
        backlog=backlog(own_claims),
        done=_done(moderator_id, done),
        wanted=wanted,
        offers=offers(waiting()),
    )


def find_card(comment_id: int, moderator_id: int, now: dt.datetime) -> Card | None:
    """Any comment with a readable text, including a deleted one's kept text, as a moderator sees it."""
    cards = cards_of({comment_id: None}, moderator_id, now)
    return cards[0] if cards else None


def _done(moderator_id: int, ids: Iterable[int]) -> list[LogEntry]:
    """One's own actions that haven't been reversed yet."""
    rows = LogEntry.objects.filter(pk__in=list(ids)[:MOST_DONE], by=moderator_id, reversal=None, reverses=None)
    return list(
        rows.select_related("comment__version", "comment__author", "question__live_version", "subject", "notice")
    )
