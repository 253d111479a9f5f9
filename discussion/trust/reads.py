"""Who may write, who moderates, and what readers' reports weigh."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Q

from discussion.comments.errors import Locked, Suspended
from discussion.comments.models.comments import ThreadState
from discussion.comments.models.moderation import HIDING, CommentReport, Suspension
from discussion.trust.rules import weight

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


def weights_of_reports(comment_id: int) -> list[float]:
    """What the open reports of harm on a comment weigh, one of each person that still has an account."""
    harm = CommentReport.objects.filter(reason__in=HIDING)
    people = harm.filter(comment=comment_id, closed_at=None, reporter__isnull=False).values("reporter")
    records = harm.filter(reporter__in=people).values("reporter")
    counts = records.annotate(right=Count("pk", filter=Q(upheld=True)), wrong=Count("pk", filter=Q(upheld=False)))
    return [weight(row["right"], row["wrong"]) for row in counts]
