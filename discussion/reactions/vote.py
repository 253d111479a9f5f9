"""Helpful votes: one for each person and comment, counted exactly."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from discussion.comments import limits
from discussion.comments.errors import NotThere, Refused
from discussion.comments.models.comments import Vote
from discussion.comments.recount import lock, refresh_helpful


def vote(comment_id: int, user_id: int, on: bool, now: dt.datetime) -> int:
    """Mark a comment as helpful, or unmark it; returns the count. Raises DiscussionError."""
    limits.count("votes", user_id, now)
    with transaction.atomic():
        # Locked, because the stored count is recomputed: of two simultaneous votes, the later count includes both.
        comment = lock([comment_id]).get(comment_id)
        if comment is None or not comment.is_readable:
            raise NotThere
        if comment.author_id == user_id:
            raise Refused("own-vote")
        if on:
            Vote.objects.get_or_create(comment=comment, user_id=user_id, defaults={"made_at": now})
        else:
            Vote.objects.filter(comment=comment, user_id=user_id).delete()
        return refresh_helpful(comment)
