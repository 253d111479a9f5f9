"""Deciding on several comments at once, or all of an author's: each is claimed first and is a separate action."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from django.contrib.auth.models import AbstractBaseUser

from discussion.comments.errors import AlreadyDecided, DiscussionError, NotThere, Taken, Unseen
from discussion.comments.models.comments import Comment
from discussion.comments.models.moderation import Act, LogEntry
from discussion.moderation.acts.decide import decide, edit_out, reverse
from discussion.moderation.claim import let_go, take_for
from discussion.moderation.reads.queue import decidable


@dataclass(frozen=True)
class Choice:
    """The decision, what the author is told, and each comment's stamp on the page."""

    act: Act
    reason: str = ""
    words: str = ""
    seen: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """The actions taken, and by comment (or action) why one wasn't."""

    entries: list[LogEntry] = field(default_factory=list)
    refused: dict[int, DiscussionError] = field(default_factory=dict)

    @property
    def settled(self) -> list[int]:
        """The comments that were decided or released with them."""
        own = [entry.comment_id for entry in self.entries if entry.comment_id]
        return own + [pk for entry in self.entries for pk in entry.after.get("released", [])]


def decide_all(ids: Iterable[int], choice: Choice, by: AbstractBaseUser, now: dt.datetime) -> Outcome:
    """Decide on each; failures (another moderator has it, or was first) are reported and don't stop the others."""
    wanted = list(dict.fromkeys(ids))
    taken = take_for(wanted, by, now)
    rows = {row.pk: row for row in Comment.objects.filter(pk__in=wanted).select_related("state_by")}
    outcome = Outcome()
    for comment_id in wanted:
        if comment_id in outcome.settled:
            continue  # just released with another one
        try:
            comment, stamp = _free(rows.get(comment_id), taken.get(comment_id), choice, by)
            outcome.entries.append(decide(comment, choice.act, by, now, choice.reason, choice.words, stamp=stamp))
        except (AlreadyDecided, Unseen) as error:
            let_go(by, [comment_id])
            outcome.refused[comment_id] = error
        except DiscussionError as error:
            outcome.refused[comment_id] = error
    return outcome


def decide_on_author(author_id: int, upto: int, choice: Choice, by: AbstractBaseUser, now: dt.datetime) -> Outcome:
    """Decide on everything by one author to which the decision applies, up to the comment with this id.

    Anything written after the page was made isn't decided unread. All of it has the same timestamp, by which the log
    groups it (``reads.log.done_together``).
    """
    rows = Comment.objects.filter(decidable(choice.act), author=author_id, pk__lte=upto).order_by("pk")
    stamps = {row.pk: row.stamp for row in rows}
    return decide_all(stamps, replace(choice, seen=stamps), by, now)


def edit_out_one(comment_id: int, text: str, choice: Choice, by: AbstractBaseUser, now: dt.datetime) -> LogEntry:
    """Claim a comment and replace its text. Raises DiscussionError."""
    taken = take_for([comment_id], by, now)
    row = Comment.objects.filter(pk=comment_id).select_related("state_by").first()
    comment, stamp = _free(row, taken.get(comment_id), choice, by)
    return edit_out(comment, text, by, now, choice.reason, choice.words, stamp=stamp)


def undo_all(ids: Iterable[int], by: AbstractBaseUser, now: dt.datetime, words: str = "") -> Outcome:
    """Reverse these actions, latest first, so that several on one comment are undone in order."""
    outcome = Outcome()
    for entry in LogEntry.objects.filter(pk__in=list(ids)).order_by("-pk"):
        try:
            outcome.entries.append(reverse(entry, by, now, words))
        except DiscussionError as error:
            outcome.refused[entry.pk] = error
    return outcome


def _free(row: Comment | None, taken: Taken | None, choice: Choice, by: AbstractBaseUser) -> tuple[Comment, str]:
    """The comment, if nobody else has claimed it, and its stamp on the page; refused without a stamp."""
    if taken:
        raise taken
    if row is None:
        raise NotThere
    if row.pk not in choice.seen:
        raise AlreadyDecided(row, by) if row.state_by_id else Unseen
    return row, choice.seen[row.pk]
