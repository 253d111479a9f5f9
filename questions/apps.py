"""The app of exams and questions."""

from __future__ import annotations

from django.apps import AppConfig


class QuestionsConfig(AppConfig):
    """What is asked: exams, questions, versions."""

    name = "questions"
    default_auto_field = "django.db.models.BigAutoField"
