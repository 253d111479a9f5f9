"""Deciding on several comments at once: each is claimed first and is one act of its own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.contrib.auth.models import AbstractBaseUser

from discussion.claims import let_go, take_one
from discussion.errors import AlreadyDecided, DiscussionError, NotThere
from discussion.models import Act, Comment, LogEntry
from discussion.moderation import decide, edit_out, reverse


@dataclass(frozen=True)
class Choice:
    """What is decided, what its author is told, and when the page was made on which it was decided."""

    act: Act
    reason: str = ""
    words: str = ""
    seen: dt.datetime | None = None


@dataclass(frozen=True)
class Outcome:
    """The acts that were done, and by comment (or act) why one was not."""

    entries: list[LogEntry] = field(default_factory=list)
    refused: dict[int, str] = field(default_factory=dict)

    @property
    def settled(self) -> list[int]:
        """The comments that were decided or released with them."""
        own = [entry.comment_id for entry in self.entries if entry.comment_id]
        return own + [pk for entry in self.entries for pk in entry.after.get("released", [])]


def decide_all(ids: Iterable[int], choice: Choice, by: AbstractBaseUser, now: dt.datetime) -> Outcome:
    """Decide on each; what cannot be decided (another is on it, or was first) is told and stops none of the others."""
    outcome = Outcome()
    for comment_id in dict.fromkeys(ids):
        if comment_id in outcome.settled:
            continue  # released with another one a moment ago
        try:
            outcome.entries.append(_decide_one(comment_id, choice, by, now))
        except AlreadyDecided as error:
            let_go(by, [comment_id])
            outcome.refused[comment_id] = str(error)
        except DiscussionError as error:
            outcome.refused[comment_id] = str(error) or "It is not there any more."
    return outcome


def edit_out_one(comment_id: int, text: str, choice: Choice, by: AbstractBaseUser, now: dt.datetime) -> LogEntry:
    """Claim a comment and replace its text. Raises DiscussionError."""
    comment = _taken(comment_id, choice, by, now)
    return edit_out(comment, text, by, now, choice.reason, choice.words)


def undo_all(ids: Iterable[int], by: AbstractBaseUser, now: dt.datetime, words: str = "") -> Outcome:
    """Reverse these acts, the latest first, so that what they did to one comment comes off in order."""
    outcome = Outcome()
    for entry in LogEntry.objects.filter(pk__in=list(ids)).order_by("-pk"):
        try:
            outcome.entries.append(reverse(entry, by, now, words))
        except DiscussionError as error:
            outcome.refused[entry.pk] = str(error) or "It is not there any more."
    return outcome


def _decide_one(comment_id: int, choice: Choice, by: AbstractBaseUser, now: dt.datetime) -> LogEntry:
    comment = _taken(comment_id, choice, by, now)
    return decide(comment, choice.act, by, now, choice.reason, choice.words)


def _taken(comment_id: int, choice: Choice, by: AbstractBaseUser, now: dt.datetime) -> Comment:
    """The comment, claimed, where nobody else has decided on it since the page was made."""
    take_one(comment_id, by, now)
    comment = Comment.objects.filter(pk=comment_id).select_related("state_by").first()
    if comment is None:
        raise NotThere
    if choice.seen and comment.state_at > choice.seen and comment.state_by_id not in {None, by.pk}:
        raise AlreadyDecided(comment)
    return comment
