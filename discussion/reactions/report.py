"""Reporting a comment: a reader says which rule it breaks, a moderator decides."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from discussion.comments import limits
from discussion.comments.errors import NotThere, Refused
from discussion.comments.models.moderation import CommentReport, Harm
from discussion.comments.recount import lock


def report_comment(comment_id: int, user_id: int, harm: Harm, text: str, now: dt.datetime) -> CommentReport:
    """Report a comment everybody can read; a second report of the same person is the first one.

    Raises DiscussionError.
    """
    known = CommentReport.objects.filter(comment=comment_id, reporter=user_id).first()
    if known:
        return known
    limits.count("reports", user_id, now)
    with transaction.atomic():
        comment = lock([comment_id]).get(comment_id)
        if comment is None or not comment.is_readable:
            raise NotThere
        if comment.author_id == user_id:
            raise Refused("own-report")
        fields = {"reason": harm, "text": text, "made_at": now}
        return CommentReport.objects.get_or_create(comment=comment, reporter_id=user_id, defaults=fields)[0]
