"""An author's inbox: their waiting comments and why, and every notice, newest first."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.core.paginator import Page, Paginator

from discussion.comments.models.authors import Appeal, Notice
from discussion.comments.models.comments import REPORTED, Comment, waiting_of
from discussion.mail.reads import NoticeLine, line_of, notices_of, readable_notices
from discussion.people.appeals.reads import appeal_of, may_appeal
from discussion.threads.reads import why_waiting

PER_PAGE = 20
"""Arbitrary: the newest few are why anybody opens it."""
WAITING_SHOWN = 20
"""More than an honest person has waiting in a day: ``HOURLY`` allows no more to be written in an hour."""


@dataclass(frozen=True)
class WaitingLine:
    """A comment waiting for a moderator, with the reasons told to its author."""

    comment: Comment
    why: tuple[str, ...]

    @property
    def is_reported(self) -> bool:
        """Whether readers' reports have hidden it."""
        return self.comment.state_reason == REPORTED


@dataclass(frozen=True)
class InboxLine:
    """A notice, and the appeal against its decision: made, or still possible."""

    line: NoticeLine
    appeal: Appeal | None
    may_appeal: bool


@dataclass(frozen=True)
class InboxPage:
    """One page of the inbox. ``new`` are the notices on it that aren't read yet."""

    waiting: list[WaitingLine]
    lines: list[InboxLine]
    pages: Page[Notice]
    new: list[int]


def inbox_page(user_id: int, now: dt.datetime, number: str = "") -> InboxPage:
    """A page of a person's inbox, in a constant number of queries."""
    pages = Paginator(notices_of(user_id, now), PER_PAGE).get_page(number)
    lines = [InboxLine(line_of(row), appeal_of(row), may_appeal(row, now)) for row in pages]
    held = Comment.objects.filter(waiting_of(user_id)).select_related("version", "question__exam")
    return InboxPage(
        waiting=[
            WaitingLine(row, why_waiting(row)) for row in held.prefetch_related("hits").order_by("-pk")[:WAITING_SHOWN]
        ],
        lines=lines,
        pages=pages,
        new=[each.line.notice.pk for each in lines if each.line.is_new],
    )


def unread_count(user_id: int, now: dt.datetime) -> int:
    """How many readable notices a person hasn't read."""
    return readable_notices(user_id, now).filter(read_at=None).count()
