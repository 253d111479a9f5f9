"""Lists of public questions: filtered by what they are, and searched by their words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.urls import reverse

from courseiva.common.heads.links import Link
from questions.catalogue.models import Concept, Exam, StudyModule
from questions.pages.reads.words import saying
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.public import QuestionLine, public_questions, question_lines, unit_number
from questions.versions.rules.excerpts import excerpt

PER_PAGE = 25
NAMES = 10
OF_QUESTIONS = ("live_version__title", "live_version__stem")
# A question is asked for by its number as people write it; longer ones than the bank will ever have are words.
NUMBER = re.compile(r"(?:question |q|#)? ?(\d{1,6})", re.IGNORECASE)
OF_MODULES = ("title", "summary", "body")


@dataclass(frozen=True)
class QuestionList:
    page: Page
    numbers: list[int | str]
    lines: list[QuestionLine]
    total: int


@dataclass(frozen=True)
class SearchPage:
    text: str
    questions: QuestionList | None
    concepts: list[Link]
    modules: list[Link]

    @property
    def found_nothing(self) -> bool:
        """True after a search without a hit."""
        return self.questions is not None and not (self.questions.total or self.concepts or self.modules)


def question_list(exam: Exam, filters: Mapping[str, Any], number: str) -> QuestionList:
    """The questions of an exam that pass the filters; two statements."""
    rows = saying(
        filtered(exam, filters).annotate(unit=unit_number()), filters.get("q", ""), OF_QUESTIONS, "unit", "number"
    )
    return _page_of(rows, number)


def filtered(exam: Exam, filters: Mapping[str, Any]) -> QuerySet[Question]:
    """The public questions of these domains, difficulties, kinds and concepts; what is not named does not narrow."""
    rows = public_questions().filter(exam=exam)
    fields = {"domain": "domain__key", "difficulty": "difficulty", "kind": "kind"}
    for name, path in fields.items():
        if filters.get(name):
            rows = rows.filter(**{f"live_version__{path}__in": filters[name]})
    if filters.get("concept"):
        tagged = Concept.objects.filter(domain__exam=exam, key__in=filters["concept"])
        versions = QuestionVersion.concepts.through.objects.filter(concept__in=tagged).values("questionversion")
        rows = rows.filter(live_version__in=versions)
    return rows


def search_page(text: str, number: str) -> SearchPage:
    """Questions, concepts and study modules whose words contain all words of the text."""
    text = " ".join(text.split())
    if not text:
        return SearchPage("", None, [], [])
    concepts = saying(Concept.objects.select_related("domain__exam"), text, ["name"], "domain", "name")
    modules = saying(StudyModule.objects.select_related("exam").lines(), text, OF_MODULES, "exam", "number")
    return SearchPage(
        text=text,
        questions=_page_of(_asked_for(text), number, text),
        concepts=[_link("concept", c.domain.exam, c.name, c.key) for c in concepts[:NAMES]],
        modules=[_link("module", m.exam, m.title, m.number, m.slug) for m in modules[:NAMES]],
    )


def _link(page: str, exam: Exam, name: str, *args: str | int) -> Link:
    return Link(name, reverse(page, args=[exam.slug, *args]), exam.code)


def _asked_for(text: str) -> QuerySet[Question]:
    """The questions of this number, one of each exam, or those that say all words."""
    numbered = NUMBER.fullmatch(text)
    if not numbered:
        return saying(public_questions(), text, OF_QUESTIONS, "exam", "number")
    return public_questions().filter(number=int(numbered[1])).order_by("exam")


def _page_of(rows: QuerySet[Question], number: str, asked: str = "") -> QuestionList:
    pages = Paginator(rows.select_related("exam", "live_version__domain"), PER_PAGE)
    page = pages.get_page(number)
    before = [None, *(row.live_version.family_id if row.live_version else None for row in page)]
    lines = [
        replace(line, excerpt=tuple(excerpt(row.live_version.stem, asked))) if asked and row.live_version else line
        for row, family in zip(page, before, strict=False)
        for line in question_lines([row], row.exam, family)
    ]
    numbers = list(pages.get_elided_page_range(page.number, on_each_side=1, on_ends=1))
    return QuestionList(page, numbers, lines, pages.count)
