"""Asking for a second look at a decision, and answering as the second moderator."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from discussion.comments.errors import NotAModerator, NotThere, Refused
from discussion.comments.models.authors import APPEAL_TIME, Appeal, Notice
from discussion.comments.models.comments import Comment, State
from discussion.comments.models.moderation import Act, CommentReport, LogEntry
from discussion.mail.settle import UNDO_TIME
from discussion.moderation.acts.decide import decide, reverse
from discussion.people.appeals.reads import own_notice
from discussion.trust.reads import is_moderator


def make_appeal(notice_id: int, user_id: int, text: str, now: dt.datetime) -> Appeal:
    """Appeal against the decision in one's own notice; a second appeal returns the first. Raises DiscussionError."""
    notice = own_notice(notice_id, user_id, now)
    if notice is None or notice.entry is None:
        raise NotThere
    with transaction.atomic():
        # Lock the entry: if two appeals are concurrent, the second finds the first; and a concurrent reversal is seen.
        entry = LogEntry.objects.select_for_update().get(pk=notice.entry.pk)
        known = Appeal.objects.filter(entry=entry).first()
        if known:
            return known
        if now >= entry.at + APPEAL_TIME:
            raise Refused("appeal-late")
        if LogEntry.objects.filter(reverses=entry).exists():
            raise Refused("appeal-moot")
        if entry.comment and entry.comment.deleted_at:
            raise Refused("appeal-gone")
        # An author who appeals has read it; a reversal would delete an unread notice.
        Notice.objects.filter(pk=notice.pk, read_at=None).update(read_at=now)
        return Appeal.objects.create(entry=entry, user_id=user_id, text=text, made_at=now)


def answer_appeal(appeal_id: int, is_granted: bool, by: AbstractBaseUser, now: dt.datetime, words: str = "") -> Appeal:
    """Reverse the decision or uphold it, and tell its author; a restored comment becomes visible.

    Raises NotAModerator, NotThere, MovedOn if the decision can't be reversed any more, and Refused: for the moderator
    who made the decision or the appeal, for an answered appeal, and for a refusal without a reason.
    """
    if not is_moderator(by, now):
        raise NotAModerator
    if not is_granted and not words.strip():
        raise Refused("no-reason")
    with transaction.atomic():
        # If two moderators answer at once, the second finds the appeal answered; otherwise the author would get two
        # answers.
        appeal = Appeal.objects.select_for_update().filter(pk=appeal_id).first()
        if appeal is None or appeal.user_id is None:
            raise NotThere
        if appeal.answered_at:
            raise Refused("appeal-answered")
        if by.pk in {appeal.entry.by_id, appeal.user_id}:
            raise Refused("second-look")
        if is_granted:
            _grant(appeal.entry, by, now, words)
        appeal.is_granted, appeal.words = is_granted, words.strip()
        appeal.answered_by_id, appeal.answered_at = by.pk, now
        appeal.save(update_fields=["is_granted", "words", "answered_by", "answered_at"])
        Notice.objects.create(appeal=appeal, user_id=appeal.user_id, due_at=now + UNDO_TIME)
    return appeal


def _grant(entry: LogEntry, by: AbstractBaseUser, now: dt.datetime, words: str) -> None:
    done = [reverse(entry, by, now, words)]
    row = Comment.objects.filter(log=entry, deleted_at=None).first()
    # Before the decision the comment was waiting or reported, so granting settles that as well.
    if row and (row.state == State.HELD or CommentReport.objects.filter(comment=row, closed_at=None).exists()):
        done.append(decide(row, Act.APPROVE, by, now, words=words))
    # The answer to the appeal says it all.
    Notice.objects.filter(entry__in=done).delete()
