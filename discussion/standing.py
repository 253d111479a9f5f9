"""What is derived of a comment: whether its thread shows it, its readable replies, how many found it helpful."""

from __future__ import annotations

from collections.abc import Iterable

from discussion.models import READABLE, Comment


def lock(ids: Iterable[int]) -> dict[int, Comment]:
    """The comments and what they reply to, locked until the transaction ends; always in the same order."""
    wanted = set(ids)
    above = Comment.objects.filter(pk__in=wanted, parent__isnull=False).values_list("parent_id", flat=True)
    rows = Comment.objects.filter(pk__in=wanted | set(above)).order_by("pk").select_for_update(no_key=True)
    return {row.pk: row for row in rows}


def refresh(comment: Comment) -> None:
    """Derive anew for a locked comment, and for what it replies to, which is locked with it."""
    for row_id in filter(None, (comment.pk, comment.parent_id)):
        replies = Comment.objects.filter(READABLE, parent=row_id).count()
        readable = Comment.objects.filter(READABLE, pk=row_id).exists()
        Comment.objects.filter(pk=row_id).update(replies=replies, listed=readable or replies > 0)


def refresh_helpful(comment: Comment) -> int:
    """Count the votes for a locked comment."""
    helpful = comment.votes.count()
    Comment.objects.filter(pk=comment.pk).update(helpful=helpful)
    return helpful
