"""A comment's derived columns: whether its thread lists it, its readable replies, and its helpful votes."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Case, Count, Exists, OuterRef, Subquery, When
from django.db.models.functions import Coalesce

from discussion.comments.models.comments import READABLE, Comment


def lock(ids: Iterable[int]) -> dict[int, Comment]:
    """Lock the comments and what they reply to until the transaction ends, always in the same order."""
    wanted = set(ids)
    above = Comment.objects.filter(pk__in=wanted, parent__isnull=False).values_list("parent_id", flat=True)
    # NO KEY: votes and replies, which refer to a comment, can still be added meanwhile.
    rows = Comment.objects.filter(pk__in=wanted | set(above)).order_by("pk").select_for_update(no_key=True)
    return {row.pk: row for row in rows}


def refresh(comment: Comment) -> None:
    """Recompute for a locked comment, and for what it replies to, which is locked too."""
    readable = Comment.objects.filter(READABLE, parent=OuterRef("pk"))
    number = readable.values("parent").annotate(number=Count("pk")).values("number")
    Comment.objects.filter(pk__in=filter(None, (comment.pk, comment.parent_id))).update(
        replies=Coalesce(Subquery(number), 0),
        listed=Case(When(READABLE | Exists(readable), then=True), default=False),
    )


def refresh_helpful(comment: Comment) -> int:
    helpful = comment.votes.count()
    Comment.objects.filter(pk=comment.pk).update(helpful=helpful)
    return helpful
