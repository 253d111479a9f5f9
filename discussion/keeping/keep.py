"""How long staff keep texts withdrawn while under review, and takedown requests."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from discussion.comments.models.comments import Comment, State
from discussion.comments.models.moderation import KEPT_FOR, CommentReport, KeptText
from discussion.comments.models.takedowns import Takedown

AT_ONCE = 500
"""Rows per hourly run. The rest waits for the next one: after thirty days another hour doesn't matter, and a long
transaction would."""
TAKEDOWNS_KEPT = dt.timedelta(days=365)
"""How long after its answer a request is kept: disputes about rights come back."""


def keep_text(comment: Comment, now: dt.datetime, *, is_deleted: bool) -> bool:
    """Keep a locked comment's text before its author deletes it, if it is reported, held or removed; returns whether it
    was kept."""
    is_reported = CommentReport.objects.filter(comment=comment, closed_at=None).exists()
    if comment.state == State.VISIBLE and not is_reported:
        return False
    KeptText.objects.create(comment=comment, text=comment.text, at=now, is_deleted=is_deleted)
    return True


def purge_kept(now: dt.datetime) -> int:
    """Clear expired texts; returns how many. Reports on a deleted text that nobody can read any more are closed."""
    due = list(KeptText.objects.filter(at__lte=now - KEPT_FOR).exclude(text="").order_by("at")[:AT_ONCE])
    with transaction.atomic():
        # Both at once: a report on a text that nobody can read any more would stay in the queue for ever.
        KeptText.objects.filter(pk__in=[row.pk for row in due]).update(text="")
        gone = {row.comment_id for row in due if row.is_deleted}
        CommentReport.objects.filter(comment__in=gone, closed_at=None).update(closed_at=now)
    return len(due)


def purge_takedowns(now: dt.datetime) -> int:
    """Delete requests answered long enough ago; returns how many."""
    return Takedown.objects.filter(answered_at__lte=now - TAKEDOWNS_KEPT).delete()[0]
