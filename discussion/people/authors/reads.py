"""Everything moderators know about an author, on one page."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Q

from discussion.comments.models.authors import AuthorNote
from discussion.comments.models.comments import Comment
from discussion.comments.models.moderation import Act, CommentReport, Suspension
from discussion.moderation.reads.cards import Record, records_of
from discussion.moderation.reads.log import LogLine, log_lines
from discussion.moderation.reads.queue import decidable
from discussion.trust.reads import suspension_of

PER_PAGE = 20
"""As many as a page of the queue: the same actions apply."""
REPORTS_SHOWN = 30
"""The latest say what somebody is like now; the counts above are of all."""


@dataclass(frozen=True)
class AuthorPage:
    """An author. ``notes`` is None for moderators themselves: those are for the others.

    ``received`` are reports on the author's comments, ``made`` the author's own reports. ``approvable`` and
    ``removable`` are how many comments one decision on everything would change; ``upto`` is the latest of them all.
    """

    person: Any
    record: Record | None
    suspended: Suspension | None
    suspensions: list[Suspension]
    notes: list[AuthorNote] | None
    comments: Page[Comment]
    decisions: list[LogLine]
    received: list[CommentReport]
    made: list[CommentReport]
    approvable: int
    removable: int
    upto: int


def find_author(user_id: int) -> Any:
    """The person, or None."""
    return get_user_model().objects.filter(pk=user_id).first()


def author_page(person: Any, moderator_id: int, now: dt.datetime, number: str = "") -> AuthorPage:
    """An author as this moderator sees them, in a constant number of queries."""
    is_others = person.pk != moderator_id
    comments = Comment.objects.filter(author=person).select_related("version", "question__exam").order_by("-pk")
    reports = CommentReport.objects.select_related("comment__version", "comment__author").order_by("-pk")
    notes = AuthorNote.objects.filter(about=person).select_related("by").order_by("-made_at", "-pk")
    counts = Comment.objects.filter(author=person).aggregate(
        every=Count("pk"),
        approvable=Count("pk", filter=decidable(Act.APPROVE)),
        removable=Count("pk", filter=decidable(Act.SPAM)),
        upto=Max("pk"),
    )
    pages = Paginator(comments, PER_PAGE)
    pages.count = counts["every"]  # queried with the others
    return AuthorPage(
        person=person,
        record=records_of([person.pk], now).get(person.pk),
        suspended=suspension_of(person.pk, now),
        suspensions=list(Suspension.objects.filter(user=person).select_related("by").order_by("-pk")),
        notes=list(notes) if is_others else None,
        comments=pages.get_page(number),
        decisions=log_lines(Q(subject=person)),
        received=list(reports.filter(comment__author=person)[:REPORTS_SHOWN]),
        made=list(reports.filter(reporter=person)[:REPORTS_SHOWN]),
        approvable=counts["approvable"] if is_others else 0,
        removable=counts["removable"] if is_others else 0,
        upto=counts["upto"] or 0,
    )
