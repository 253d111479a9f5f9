"""The exams that can be practised, in the operator's order; the glossary's addresses."""

from __future__ import annotations

from django.conf import settings
from django.core.cache import cache
from django.db.models import QuerySet

from courseiva.common.quick.statements import composed_once
from questions.catalogue.models import BlueprintDomain, Exam, GlossaryTerm

IS_CHOICE = "exams-are-a-choice"
TERMS = "glossary-addresses"
TERMS_SECONDS = 60
"""As long as a public page may be out of date: a renamed product is then right everywhere within the same minute."""


def offered() -> QuerySet[Exam]:
    """Exams that can be practised: those with a current guide."""
    return Exam.objects.listed().filter(blueprints__is_current=True)


def is_choice() -> bool:
    """Whether there are several. Every exam page's header asks, so the result is cached for a minute."""
    seconds = settings.EXAM_CHOICE_SECONDS
    return bool(cache.get_or_set(IS_CHOICE, lambda: len(offered().values_list("pk")[:2]) > 1, seconds))


def guide_of(*, pk: int | None = None, slug: str | None = None) -> list[BlueprintDomain]:
    """One exam's domains in the current guide, by number, each with its guide and exam; one statement."""
    return _guide(pk, slug)


@composed_once
def _guide(pk: int | None, slug: str | None) -> QuerySet[BlueprintDomain]:
    rows = BlueprintDomain.objects.filter(blueprint__is_current=True)
    rows = rows.filter(blueprint__exam=pk) if slug is None else rows.filter(blueprint__exam__slug=slug)
    return rows.select_related("blueprint__exam", "domain").order_by("domain__number")


def term_addresses() -> dict[str, str]:
    """Each product name's URL. Every breakdown asks, so the result is cached for a minute."""
    return cache.get_or_set(TERMS, _term_addresses, TERMS_SECONDS) or {}


def _term_addresses() -> dict[str, str]:
    return {term.name: term.get_absolute_url() for term in GlossaryTerm.objects.only("key", "name")}
