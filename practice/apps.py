from __future__ import annotations

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    """What learners do with questions: sessions, scores, notes."""

    name = "practice"
    default_auto_field = "django.db.models.BigAutoField"
