"""A notice as its author reads it, the same in the inbox and in emails."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse

from discussion.comments.models.authors import APPEALABLE, Notice
from discussion.comments.models.comments import REPORTED, Comment, State
from discussion.comments.models.moderation import Act, LogEntry

OF_ACT = {Act.APPROVE: "approved", Act.REJECT: "rejected", Act.EDIT_OUT: "edited", Act.SUSPEND: "suspended"}
MAY_BE_APPEALED = {OF_ACT[act] for act in APPEALABLE}
HAVE_NO_PAGE = {"rejected", "declined"}
"""The comment itself can't be opened; its discussion can."""


@dataclass(frozen=True)
class NoticeLine:
    """A notice: ``what`` happened, to which comment, with the moderator's reason and words. ``others`` came with it.

    ``was_public``: everyone could read the comment until then, or until reports hid it.
    """

    notice: Notice
    what: str
    comment: Comment | None
    quote: str
    url: str
    reason: str
    words: str
    until: dt.datetime | None
    others: int
    was_public: bool

    @property
    def is_new(self) -> bool:
        """Whether its author hasn't read it yet."""
        return self.notice.read_at is None


def notices_of(user_id: int, now: dt.datetime) -> QuerySet[Notice]:
    """Notices a person can read by now: no decision that can still be undone."""
    return with_facts(readable_notices(user_id, now)).order_by("-due_at", "-pk")


def readable_notices(user_id: int, now: dt.datetime) -> QuerySet[Notice]:
    """People mentioned in a comment only get the notice while everybody can read the comment."""
    still = Q(mention=None) | Q(mention__state=State.VISIBLE, mention__deleted_at=None)
    return Notice.objects.filter(still, user=user_id, due_at__lte=now)


def with_facts(rows: QuerySet[Notice]) -> QuerySet[Notice]:
    """With everything `line_of` needs."""
    place = ("question__exam", "version")
    comments = ("comment", "mention", "entry__comment", "appeal__entry__comment")
    return rows.select_related(
        "user", "entry__reverses", "entry__appeal", "entry__reversal", "appeal__entry",
        "mention__author", *(f"{path}__{each}" for path in comments for each in place),
    )  # fmt: skip


def line_of(notice: Notice) -> NoticeLine:
    entry = notice.appeal.entry if notice.appeal else notice.entry
    what = _what(notice)
    comment = notice.mention or notice.comment or (entry.comment if entry else None)
    return NoticeLine(
        notice=notice,
        what=what,
        comment=comment,
        # Whether the reader may see the thread is decided by the thread's page.
        quote=" ".join(comment.text.split()) if comment and not notice.mention else "",
        url=_url(comment, what) if comment else "",
        reason=entry.reason if entry and not notice.appeal else "",
        words=notice.appeal.words if notice.appeal else entry.words if entry else "",
        until=_until(entry) if what == "suspended" else None,
        others=len(entry.after.get("released", [])) if entry and what == "approved" else 0,
        was_public=bool(entry and _was_public(entry.before)),
    )


def _what(notice: Notice) -> str:
    if notice.appeal:
        return "granted" if notice.appeal.is_granted else "declined"
    if notice.mention:
        return "named"
    entry = notice.entry
    if entry is None:
        return "hidden"
    if entry.reverses is None:
        return OF_ACT[Act(entry.act)]
    if entry.reverses.act == Act.SUSPEND:
        return "lifted"
    return "waits-again" if entry.after["state"] == State.HELD else "restored"


def _was_public(before: dict[str, Any]) -> bool:
    return before.get("state") == State.VISIBLE or before.get("state_reason") == REPORTED


def _url(comment: Comment, what: str) -> str:
    if what in HAVE_NO_PAGE or comment.deleted_at:
        return reverse("thread", args=[comment.question.exam.slug, comment.question_id])
    return reverse("comment", args=[comment.pk])


def _until(entry: LogEntry | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(entry.after["until"]) if entry else None
