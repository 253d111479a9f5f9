"""Reporting a comment: a reader says which rule it breaks, enough readers hide it, and a moderator decides."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from courseiva.common.later import after_commit
from discussion.comments import limits
from discussion.comments.errors import NotThere, Refused
from discussion.comments.models.comments import REPORTED, Comment, State
from discussion.comments.models.moderation import HIDING, LIVE_HARM, CommentReport, Harm
from discussion.comments.recount import lock, refresh
from discussion.mail.settle import settle
from discussion.trust.reads import weights_of_reports
from discussion.trust.rules import hides


def report_comment(comment_id: int, user_id: int, harm: Harm, text: str, now: dt.datetime) -> CommentReport:
    """Report a visible comment; a second report by the same person returns the first.

    If reports of harm weigh enough together, the comment is held for a moderator. One that a moderator has approved
    stays visible: a crowd can't overrule that, only send it back to the queue. Raises DiscussionError.
    """
    known = CommentReport.objects.filter(comment=comment_id, reporter=user_id).first()
    if known:
        return known
    limits.count("reports", user_id, now)
    with transaction.atomic():
        # Under the lock: of two concurrent reports, the later one sees the weight of both.
        comment = lock([comment_id]).get(comment_id)
        if comment is None or not comment.is_readable:
            raise NotThere
        if comment.author_id == user_id:
            raise Refused("own-report")
        fields = {"reason": harm, "text": text, "made_at": now}
        made = CommentReport.objects.get_or_create(comment=comment, reporter_id=user_id, defaults=fields)[0]
        if harm in HIDING and comment.state_by_id is None and hides(weights_of_reports(comment.pk)):
            _hide(comment, now)
        if harm in LIVE_HARM:
            after_commit("discussion.raise_alarm", comment.pk)
    return made


def _hide(comment: Comment, now: dt.datetime) -> None:
    comment.state, comment.state_reason, comment.state_at = State.HELD, REPORTED, now
    comment.save(update_fields=["state", "state_reason", "state_at"])
    refresh(comment)
    settle(comment, now)
