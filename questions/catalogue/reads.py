"""The exams that can be practised, in the operator's order; the glossary's addresses."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet

from questions.catalogue.models import BlueprintDomain, Exam, GlossaryTerm

IS_CHOICE = "exams-are-a-choice"
TERMS = "glossary-addresses"
TERMS_SECONDS = 60


def offered() -> QuerySet[Exam]:
    """One without a current guide cannot be practised."""
    return Exam.objects.listed().filter(blueprints__is_current=True)


def is_choice() -> bool:
    """Whether there are several. The header of every exam's pages asks, so the answer is kept for a minute."""
    seconds = settings.EXAM_CHOICE_SECONDS
    return bool(cache.get_or_set(IS_CHOICE, lambda: len(offered().values_list("pk")[:2]) > 1, seconds))


def guide_of(**exam: Any) -> list[BlueprintDomain]:
    """The domains of an exam's current guide by their numbers, each with guide and exam; in one statement."""
    of_exam = {f"blueprint__exam__{name}": value for name, value in exam.items()}
    rows = BlueprintDomain.objects.filter(blueprint__is_current=True, **of_exam)
    return list(rows.select_related("blueprint__exam", "domain").order_by("domain__number"))


def term_addresses() -> dict[str, str]:
    """Where each product's name leads. Every breakdown asks, so the answer is kept for a minute."""
    return cache.get_or_set(TERMS, _term_addresses, TERMS_SECONDS) or {}


def _term_addresses() -> dict[str, str]:
    return {term.name: term.get_absolute_url() for term in GlossaryTerm.objects.only("key", "name")}
