"""A person's data in the discussion, for their export."""

from __future__ import annotations

from typing import Any

from django.db.models import F

from discussion.comments.models.authors import Appeal
from discussion.comments.models.comments import Comment, Subscription, Vote
from discussion.comments.models.moderation import CommentReport

Rows = list[dict[str, Any]]
COMMENT = (
    "id", "question_id", "kind", "parent_id", "text", "state", "state_reason", "created_at", "edited_at", "deleted_at",
    "helpful",
)  # fmt: skip


def own_discussion(user_id: int | None) -> dict[str, Rows]:
    """Comments with their state, votes, reports of comments, appeals, and subscriptions; oldest first."""
    place = {"exam": F("question__exam__slug"), "title": F("version__title")}
    comments = Comment.objects.filter(author=user_id).order_by("created_at", "pk").values(*COMMENT, **place)
    votes = Vote.objects.filter(user=user_id).order_by("made_at").values("comment_id", "made_at")
    reports = CommentReport.objects.filter(reporter=user_id).order_by("made_at")
    appeals = Appeal.objects.filter(user=user_id).order_by("made_at")
    followed = Subscription.objects.filter(user=user_id).order_by("pk")
    return {
        "comments": list(comments),
        "helpful_votes": list(votes),
        "reports": list(reports.values("comment_id", "reason", "text", "made_at", "closed_at")),
        "appeals": list(appeals.values("text", "made_at", "answered_at", "is_granted", "words", act=F("entry__act"))),
        "followed": list(followed.values("comment_id")),
    }
