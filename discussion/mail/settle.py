"""What follows once everybody can read a comment: a correction goes to the editors, replies to who asked for mail."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import Q

from courseiva.common.later import after_commit
from discussion.comments.models.comments import UNSENT_CORRECTION, Comment, Kind, ReplyMail, Subscription
from discussion.comments.recount import lock
from questions.reports.models import MAX_REPORT, ReportKind
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Complaint, report, reword

UNDO_TIME = dt.timedelta(seconds=10)
"""For so long a moderator can take a decision back before anybody is told of it."""
CUT = " … (continued in the discussion)"
AT_ONCE = 500


def settle(comment: Comment, now: dt.datetime) -> None:
    """Do what is due for a locked comment that was looked at and can be read; doing it again changes nothing.

    Mail about a reply that cannot be read is dropped. A correction that a moderator let through waits for
    ``send_corrections``; one that the editors have reads there as it reads here, until they answer.
    """
    if comment.parent_id and not comment.is_readable:
        comment.mails.filter(sent_at=None).delete()
    if not comment.is_readable or comment.screened_at is None:
        return
    if comment.kind == Kind.CORRECTION:
        _tell_editors(comment, now)
    elif comment.parent_id:
        _announce(comment, now)


def send_corrections(now: dt.datetime) -> int:
    """Send the editors what moderators let through, once that can no longer be undone; returns how many."""
    due = Comment.objects.filter(UNSENT_CORRECTION, screened_at__isnull=False, state_at__lte=now - UNDO_TIME)
    return sum(_send_once(pk, now) for pk in due.order_by("state_at").values_list("pk", flat=True)[:AT_ONCE])


def _send_once(comment_id: int, now: dt.datetime) -> bool:
    with transaction.atomic():
        comment = lock([comment_id])[comment_id]
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
        after_commit("discussion.send_reply_mails")
