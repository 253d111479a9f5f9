"""Emails about replies: opt-in, with one-click unsubscribe."""

from __future__ import annotations

import datetime as dt
import uuid

from discussion.comments.models.comments import Comment, Subscription


def follow(comment: Comment, user_id: int, now: dt.datetime) -> Subscription:
    """Email this person about replies in a conversation; ``comment`` is its first one."""
    return Subscription.objects.get_or_create(comment=comment, user_id=user_id, defaults={"made_at": now})[0]


def unfollow(comment: Comment, user_id: int) -> None:
    Subscription.objects.filter(comment=comment, user_id=user_id).delete()


def stop(token: uuid.UUID, every: bool = False) -> None:
    """End the token's subscription, or all of that person's; no error if it is already gone."""
    rows = Subscription.objects.filter(token=token)
    if every:
        rows = Subscription.objects.filter(user__in=rows.values("user"))
    rows.delete()
