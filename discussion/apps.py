from __future__ import annotations

from django.apps import AppConfig


class DiscussionConfig(AppConfig):
    """The discussion of questions: comments, votes, reports, moderation."""

    name = "discussion"
    default_auto_field = "django.db.models.BigAutoField"
