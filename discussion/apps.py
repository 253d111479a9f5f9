from __future__ import annotations

from django.apps import AppConfig


class DiscussionConfig(AppConfig):
    """What people say about the questions: comments, votes, reports, moderation."""

    name = "discussion"
    default_auto_field = "django.db.models.BigAutoField"
