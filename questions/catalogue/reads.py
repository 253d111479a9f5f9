"""The exams that can be practised, in the operator's order."""

from __future__ import annotations

from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet

from questions.catalogue.models import Exam

IS_CHOICE = "exams-are-a-choice"


def offered() -> QuerySet[Exam]:
    """One without a current guide cannot be practised."""
    return Exam.objects.listed().filter(blueprints__is_current=True)


def is_choice() -> bool:
    """Whether there are several. The header of every exam's pages asks, so the answer is kept for a minute."""
    seconds = settings.EXAM_CHOICE_SECONDS
    return bool(cache.get_or_set(IS_CHOICE, lambda: len(offered().values_list("pk")[:2]) > 1, seconds))
