"""Collections of an exam's questions: the list with sizes, and each one's page."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Count
from django.urls import reverse

from courseiva.common.heads.links import Link
from questions.catalogue.models import Concept, Exam
from questions.pages.counted.reads import kept_counts
from questions.pages.counted.rules import Counts
from questions.pages.reads.exams import ExamPage, exam_page
from questions.pages.reads.lists import QuestionList, filtered, question_list
from questions.pages.rules import TROUBLESHOOTING, Collection, collections_of


@dataclass(frozen=True)
class CollectionPage:
    """A collection and its first questions. ``by_domain`` has the number in each domain that has any."""

    exam: Exam
    collection: Collection
    listed: QuestionList
    by_domain: list[tuple[int, int]]
    concepts: list[Link]
    others: list[Link]

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The collection as parameters for a drill's form and the question list."""
        return [(name, value) for name, values in self.collection.filters.items() for value in values]

    @property
    def query(self) -> str:
        return urlencode(self.fields)


@dataclass(frozen=True)
class Collections:
    """All collections of an exam's questions: those with a rule, domains, and concepts by domain."""

    exam: Exam
    named: list[tuple[Collection, int]]
    page: ExamPage


def collection_list(exam: Exam) -> Collections:
    """All collections of an exam with the number of their questions."""
    kept = kept_counts(exam)
    named = [(each, _size(exam, each, kept)) for each in collections_of(_concepts(exam))]
    return Collections(exam, named, exam_page(exam))


def collection_page(exam: Exam, slug: str) -> CollectionPage | None:
    """A collection's page; None if the exam doesn't have it."""
    concepts = _concepts(exam)
    every = collections_of(concepts)
    found = next((each for each in every if each.slug == slug), None)
    if found is None:
        return None
    domains = filtered(exam, found.filters).order_by().values_list("live_version__domain__number")
    tagged = set(found.filters.get("concept", ()))
    return CollectionPage(
        exam=exam,
        collection=found,
        listed=question_list(exam, found.filters, "1"),
        by_domain=sorted(domains.annotate(n=Count("pk"))),
        concepts=[Link(name, reverse("concept", args=[exam.slug, key])) for key, name in concepts if key in tagged],
        others=[Link(each.name, reverse("collection", args=[exam.slug, each.slug])) for each in every if each != found],
    )


def _size(exam: Exam, collection: Collection, kept: Counts | None) -> int:
    if kept and collection.slug == TROUBLESHOOTING:
        return kept.troubleshooting
    if kept and not collection.filters.get("concept"):
        return kept.with_columns(collection.filters)[0]
    return filtered(exam, collection.filters).count()


def _concepts(exam: Exam) -> list[tuple[str, str]]:
    rows = Concept.objects.filter(domain__exam=exam).order_by("domain__number", "name")
    return list(rows.values_list("key", "name"))
