"""Who may write, how far an author is trusted, who moderates, and what readers' reports weigh."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Permission
from django.db.models import Count, Min, Q

from discussion.comments.errors import Locked, Suspended
from discussion.comments.models.comments import READABLE, Comment, State, ThreadState
from discussion.comments.models.moderation import HIDING, CommentReport, Suspension
from discussion.trust.rules import LASTING_HOURS, REMEMBERED_DAYS, Record, weight

MODERATE = "discussion.moderate_comment"


def is_moderator(user: AbstractBaseUser | AnonymousUser, now: dt.datetime) -> bool:
    """Whether this user has the moderators' permission and isn't suspended."""
    if user.pk is None or not user.is_active:
        return False
    may = user.has_perm(MODERATE)  # type: ignore[attr-defined,unused-ignore]
    return bool(may) and suspension_of(user.pk, now) is None


def is_staff(user_id: int) -> bool:
    """Whether this is a staff member, whose own comments aren't held."""
    return get_user_model().objects.filter(may_moderate() | Q(is_staff=True), pk=user_id, is_active=True).exists()


def may_moderate() -> Q:
    """People with the permission: directly, by group or as a superuser."""
    app, _, codename = MODERATE.partition(".")
    permission = Permission.objects.filter(content_type__app_label=app, codename=codename)
    return Q(user_permissions__in=permission) | Q(groups__permissions__in=permission) | Q(is_superuser=True)


def record_of(user_id: int, now: dt.datetime, leaving_out: int | None = None) -> Record:
    """The record of somebody's comments, without the one in question."""
    since = now - dt.timedelta(days=REMEMBERED_DAYS)
    # Counted from when it became visible, so that a comment released just now hasn't lasted yet.
    stood = Q(state_at__lte=now - dt.timedelta(hours=LASTING_HOURS)) & ~Q(
        reports__closed_at=None, reports__isnull=False
    )
    lasted = READABLE & (Q(state_by__isnull=False) | stood)
    rows = Comment.objects.filter(author=user_id).exclude(pk=leaving_out or 0)
    found = rows.aggregate(
        lasted=Count("pk", filter=lasted, distinct=True),
        first=Min("created_at", filter=lasted),
        removed=Count("pk", filter=Q(state__in=[State.REMOVED, State.SPAM], state_at__gt=since), distinct=True),
    )
    suspended = Suspension.objects.filter(user=user_id, until__gt=since, made_at__lte=now, lifted_at=None).count()
    days = (now - found["first"]).days if found["first"] else 0
    return Record(found["lasted"], days, found["removed"], suspended)


def suspension_of(user_id: int, now: dt.datetime) -> Suspension | None:
    """The current suspension that lasts longest."""
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
    """The weights of a comment's open reports of harm, one per person who still has an account."""
    harm = CommentReport.objects.filter(reason__in=HIDING)
    people = harm.filter(comment=comment_id, closed_at=None, reporter__isnull=False).values("reporter")
    records = harm.filter(reporter__in=people).values("reporter")
    counts = records.annotate(right=Count("pk", filter=Q(upheld=True)), wrong=Count("pk", filter=Q(upheld=False)))
    return [weight(row["right"], row["wrong"]) for row in counts]
