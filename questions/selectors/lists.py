"""Lists of public questions: filtered by what they are, and searched by their words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.urls import reverse

from questions.models import Concept, Exam, Question, StudyModule
from questions.selectors.public import Link, QuestionLine, public_questions, question_lines

PER_PAGE = 25
NAMES = 10
WORDS = 8


@dataclass(frozen=True)
class QuestionList:
    """One page of a list of questions."""

    page: Page
    numbers: list[int | str]
    lines: list[QuestionLine]
    total: int


@dataclass(frozen=True)
class SearchPage:
    """What a search found."""

    text: str
    questions: QuestionList | None
    concepts: list[Link]
    modules: list[Link]

    @property
    def found_nothing(self) -> bool:
        """True after a search without a hit."""
        return self.questions is not None and not (self.questions.total or self.concepts or self.modules)


def question_list(exam: Exam, filters: dict[str, Any], number: str) -> QuestionList:
    """The questions of an exam that pass the filters; two statements."""
    rows = public_questions().filter(exam=exam)
    fields = {"domain": "domain__key", "difficulty": "difficulty", "kind": "kind"}
    for name, path in fields.items():
        if filters.get(name):
            rows = rows.filter(**{f"live_version__{path}__in": filters[name]})
    if filters.get("concept"):
        tagged = Concept.objects.filter(domain__exam=exam, key__in=filters["concept"])
        rows = rows.filter(live_version__concepts__in=tagged).distinct()
    rows = rows.filter(_says(filters.get("q", ""), "live_version__title", "live_version__stem"))
    return _page_of(rows.order_by("number"), number)


def search_page(text: str, number: str) -> SearchPage:
    """Questions, topics and study modules whose words contain all words of the text."""
    text = " ".join(text.split())
    if not text:
        return SearchPage("", None, [], [])
    rows = public_questions().filter(_says(text, "live_version__title", "live_version__stem"))
    concepts = Concept.objects.filter(_says(text, "name")).select_related("domain__exam")
    modules = StudyModule.objects.filter(_says(text, "title", "summary")).select_related("exam").lines()
    return SearchPage(
        text=text,
        questions=_page_of(rows.order_by("exam", "number"), number),
        concepts=[_link("topic", c.domain.exam, c.name, c.key) for c in concepts[:NAMES]],
        modules=[_link("module", m.exam, m.title, m.number, m.slug) for m in modules[:NAMES]],
    )


def _link(page: str, exam: Exam, name: str, *args: str | int) -> Link:
    return Link(name, reverse(page, args=[exam.slug, *args]), exam.code)


def _says(text: str, *fields: str) -> Q:
    """Each word stands in one of the fields, in whatever case."""
    found = Q()
    for word in text.split()[:WORDS]:
        one = Q()
        for field in fields:
            one |= Q(**{f"{field}__icontains": word})
        found &= one
    return found


def _page_of(rows: QuerySet[Question], number: str) -> QuestionList:
    pages = Paginator(rows.select_related("exam", "live_version__domain"), PER_PAGE)
    page = pages.get_page(number)
    lines = [line for row in page for line in question_lines([row], row.exam)]
    numbers = list(pages.get_elided_page_range(page.number, on_each_side=1, on_ends=1))
    return QuestionList(page, numbers, lines, pages.count)
