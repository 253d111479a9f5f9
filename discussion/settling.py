"""What follows once everybody can read a comment: a correction goes to the editors, replies to who asked for mail."""

from __future__ import annotations

import datetime as dt

from django.db.models import Q

from discussion.models import Comment, Kind, ReplyMail, Subscription
from discussion.tasks import send_reply_mails
from questions.models import MAX_REPORT, ReportKind
from questions.reporters import Reporter
from questions.reporting import Complaint, report

UNDO_TIME = dt.timedelta(seconds=10)
"""For so long a moderator can take a decision back before anybody is told of it."""
CUT = " … (the rest stands in the discussion)"


def settle(comment: Comment, now: dt.datetime) -> None:
    """Do what is due for a comment that was looked at and can be read; doing it again changes nothing."""
    if not comment.is_readable or comment.screened_at is None:
        return
    if comment.kind == Kind.CORRECTION and comment.report_id is None:
        _send_to_editors(comment, now)
    if comment.parent_id:
        _announce(comment, now)


def _send_to_editors(comment: Comment, now: dt.datetime) -> None:
    text = comment.text if len(comment.text) <= MAX_REPORT else comment.text[: MAX_REPORT - len(CUT)] + CUT
    slot = comment.slots[0] if len(comment.slots) == 1 else None
    who = Reporter(user_id=comment.author_id, network="" if comment.author_id else f"comment {comment.pk}")
    complaint = Complaint(ReportKind.OTHER, text, slot)
    comment.report = report(comment.version, complaint, who, now, limited=False)
    comment.save(update_fields=["report"])


def _announce(reply: Comment, now: dt.datetime) -> None:
    """Leave a mail for everybody who follows the conversation, but not for who wrote the reply.

    What a moderator let through waits until that can no longer be undone; the sweeper sends it then.
    """
    due_at = now + UNDO_TIME if reply.state_by_id else now
    followers = Subscription.objects.filter(comment=reply.parent_id).filter(~Q(user=reply.author_id))
    ReplyMail.objects.bulk_create(
        [ReplyMail(subscription=follower, reply=reply, due_at=due_at) for follower in followers], ignore_conflicts=True
    )
    if followers:
        send_reply_mails.delay_on_commit()
