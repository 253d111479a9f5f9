"""Mail about replies: asked for by the person, ended by one click."""

from __future__ import annotations

import datetime as dt
import uuid

from discussion.comments.models.comments import Comment, Subscription


def follow(comment: Comment, user_id: int, now: dt.datetime) -> Subscription:
    """Mail this person about replies in a conversation; ``comment`` is the one it starts with."""
    return Subscription.objects.get_or_create(comment=comment, user_id=user_id, defaults={"made_at": now})[0]


def unfollow(comment: Comment, user_id: int) -> None:
    Subscription.objects.filter(comment=comment, user_id=user_id).delete()


def stop(token: uuid.UUID, every: bool = False) -> None:
    """End the subscription the token belongs to, or all of that person; one that is gone already is no error."""
    rows = Subscription.objects.filter(token=token)
    if every:
        rows = Subscription.objects.filter(user__in=rows.values("user"))
    rows.delete()
