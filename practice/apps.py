from __future__ import annotations

from django.apps import AppConfig


class PracticeConfig(AppConfig):
    """What a learner does with the questions: sessions, scores, notes."""

    name = "practice"
    default_auto_field = "django.db.models.BigAutoField"
