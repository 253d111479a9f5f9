"""Who may write, and who moderates."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from discussion.comments.errors import Locked, Suspended
from discussion.comments.models.comments import ThreadState
from discussion.comments.models.moderation import Suspension

MODERATE = "discussion.moderate_comment"


def is_moderator(user: AbstractBaseUser | AnonymousUser, now: dt.datetime) -> bool:
    """Whoever was given the permission, as the group of moderators is, and is not suspended."""
    if user.pk is None or not user.is_active:
        return False
    may = user.has_perm(MODERATE)  # type: ignore[attr-defined,unused-ignore]
    return bool(may) and suspension_of(user.pk, now) is None


def suspension_of(user_id: int, now: dt.datetime) -> Suspension | None:
    """The suspension in force that lasts longest."""
    rows = Suspension.objects.filter(user=user_id, until__gt=now, lifted_at=None)
    return rows.order_by("-until").first()


def refuse_suspended(user_id: int, now: dt.datetime) -> None:
    """Raises Suspended."""
    suspension = suspension_of(user_id, now)
    if suspension:
        raise Suspended(suspension.until, suspension.reason)


def refuse_locked(question_id: int) -> None:
    """Raises Locked."""
    thread = ThreadState.objects.filter(question=question_id, locked_at__isnull=False).first()
    if thread:
        raise Locked(thread.reason)
