"""What follows once a comment is visible: corrections go to editors, replies to followers."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q

from courseiva.common.later import after_commit
from discussion.comments.models.authors import Notice
from discussion.comments.models.comments import (
    READABLE,
    UNSENT_CORRECTION,
    Comment,
    Kind,
    ReplyMail,
    State,
    Subscription,
)
from discussion.comments.recount import lock
from discussion.comments.rules.quoting import named
from questions.reports.models import MAX_REPORT, ReportKind
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Complaint, report, reword

UNDO_TIME = dt.timedelta(seconds=10)
"""How long a moderator can undo a decision before anybody is told."""
CUT = " … (continued in the discussion)"
AT_ONCE = 500
"""Arbitrary; each is a separate transaction, and the task runs again in 30 seconds."""


def settle(comment: Comment, now: dt.datetime) -> None:
    """Do what is due for a locked, screened comment that is visible; doing it again changes nothing.

    Emails about a reply that isn't readable are dropped. A correction approved by a moderator waits for
    ``send_corrections``; one the editors already have follows changes here until they answer. An author whose comment
    was hidden after being visible gets a notice.
    """
    if comment.author_id and _was_hidden(comment):
        Notice.objects.get_or_create(comment=comment, due_at=comment.state_at, defaults={"user_id": comment.author_id})
    if comment.parent_id and not comment.is_readable:
        comment.mails.filter(sent_at=None).delete()
    if not comment.is_readable or comment.screened_at is None:
        return
    _tell_named(comment, now)
    if comment.kind == Kind.CORRECTION:
        _tell_editors(comment, now)
    elif comment.parent_id:
        _announce(comment, now)


def _was_hidden(comment: Comment) -> bool:
    """Whether it was hidden later, by reports or comparison with other texts. If held at once, its page says so."""
    is_held = comment.state == State.HELD and comment.state_by_id is None and comment.deleted_at is None
    return is_held and comment.state_at not in {comment.created_at, comment.edited_at}


def send_corrections(now: dt.datetime) -> int:
    """Send editors approved corrections, once the approval can't be undone; returns how many."""
    due = Comment.objects.filter(UNSENT_CORRECTION, screened_at__isnull=False, state_at__lte=now - UNDO_TIME)
    return sum(_send_once(pk, now) for pk in due.order_by("state_at").values_list("pk", flat=True)[:AT_ONCE])


def _send_once(comment_id: int, now: dt.datetime) -> bool:
    with transaction.atomic():
        comment = lock([comment_id])[comment_id]
        # Checked again under the lock: a moderator may have reversed the decision since the list was read.
        if not comment.is_readable or comment.report_id or comment.state_at > now - UNDO_TIME:
            return False
        _send_to_editors(comment, now)
    return True


def _tell_editors(comment: Comment, now: dt.datetime) -> None:
    if comment.report_id:
        reword(comment.report_id, comment.version, _complaint(comment), _reporter(comment))
    elif comment.state_by_id is None:
        _send_to_editors(comment, now)


def _send_to_editors(comment: Comment, now: dt.datetime) -> None:
    comment.report = report(comment.version, _complaint(comment), _reporter(comment), now, limited=False)
    comment.save(update_fields=["report"])


def _complaint(comment: Comment) -> Complaint:
    text = comment.text if len(comment.text) <= MAX_REPORT else comment.text[: MAX_REPORT - len(CUT)] + CUT
    return Complaint(ReportKind.OTHER, text, comment.slots[0] if len(comment.slots) == 1 else None)


def _reporter(comment: Comment) -> Reporter:
    return Reporter(user_id=comment.author_id, network="" if comment.author_id else f"comment {comment.pk}")


def _tell_named(comment: Comment, now: dt.datetime) -> None:
    """Create a notice for everybody mentioned in a comment; once per person, however often it changes."""
    if "@" not in comment.text:
        return
    others = Comment.objects.filter(READABLE, question=comment.question_id, author__isnull=False)
    people = get_user_model().objects.filter(Q(pk__in=others.values("author")) & ~Q(comments=comment))
    names = {person.pk: person.get_short_name() for person in people}
    due_at = now + UNDO_TIME if comment.state_by_id else now
    Notice.objects.bulk_create(
        [Notice(mention=comment, user_id=pk, due_at=due_at) for pk in named(comment.text, names)], ignore_conflicts=True
    )


def _announce(reply: Comment, now: dt.datetime) -> None:
    """Queue an email for everybody who follows the conversation, except the reply's author.

    After a moderator's approval it waits until that can't be undone; the sweeper sends it then.
    """
    due_at = now + UNDO_TIME if reply.state_by_id else now
    followers = Subscription.objects.filter(comment=reply.parent_id).filter(~Q(user=reply.author_id))
    ReplyMail.objects.bulk_create(
        [ReplyMail(subscription=follower, reply=reply, due_at=due_at) for follower in followers], ignore_conflicts=True
    )
    if followers:
        after_commit("discussion.send_reply_mails")
