"""A study module's page, in five queries: guide and module, its neighbours, its check questions."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.urls import reverse

from courseiva.common.heads.links import Link
from questions.catalogue.models import Blueprint, Exam, StudyModule
from questions.catalogue.reads import term_addresses
from questions.catalogue.rules.sources import Source, source_from
from questions.catalogue.rules.term_links import TermLinks
from questions.modules.rules.html import check_keys
from questions.pages.reads.questions import prompt_options
from questions.versions.models.drafts import Question
from questions.versions.reads.breakdowns import Breakdown, breakdown_of, public_order
from questions.versions.reads.prompts import PromptOption
from questions.versions.reads.public import (
    QuestionLine,
    instruction,
    printed_name,
    public_questions,
    question_lines,
)


@dataclass(frozen=True)
class Check:
    """A check question in the text, with its answer. ``number`` counts within the module."""

    number: int
    line: QuestionLine
    stem_html: str
    instruction: str
    options: list[PromptOption]
    breakdown: Breakdown


@dataclass(frozen=True)
class Part:
    """A part of a section: prose, a labelled box, or a check question."""

    kind: str
    label: str = ""
    html: str = ""
    check: Check | None = None


@dataclass(frozen=True)
class ModuleSection:
    number: str
    anchor: str
    title: str
    parts: list[Part]


@dataclass(frozen=True)
class ModulePage:
    """A chapter of the study guide, the same for every reader."""

    exam: Exam
    module: StudyModule
    blueprint: str
    count: int
    domain: Link
    cards: list[dict[str, str]]
    sections: list[ModuleSection]
    closing: list[dict[str, str]]
    checks: list[Check]
    sources: list[Source]
    previous: StudyModule | None
    next: StudyModule | None

    @property
    def as_of(self) -> dt.date | None:
        """The day the module was last checked against its sources."""
        return max((source.as_of for source in self.sources if source.as_of), default=None)


def module_page(exam: Exam, number: int) -> ModulePage:
    """A study module with its neighbours and check questions. Raises StudyModule.DoesNotExist."""
    named = StudyModule.objects.defer("body").select_related("domain")
    module = named.annotate(domain_name=printed_name("domain")).get(exam=exam, number=number)
    html: dict[str, Any] = {"cards": [], "sections": [], "closing": []} | module.html
    checks = _checks(exam, check_keys(html))
    course = list(exam.modules.lines())
    place = course.index(module)
    blueprint = Blueprint.objects.filter(exam=exam, is_current=True).values_list("name", flat=True).first()
    links = TermLinks(term_addresses())
    return ModulePage(
        exam=exam,
        module=module,
        blueprint=blueprint or "",
        count=len(course),
        domain=Link(
            module.domain_name or module.domain.key,
            reverse("domain", args=[exam.slug, module.domain.key]),
            str(module.domain.number),
        ),
        cards=html["cards"],
        sections=[_section(section, checks, links) for section in html["sections"]],
        closing=html["closing"],
        checks=list(checks.values()),
        sources=[source_from(facts) for facts in module.sources],
        previous=course[place - 1] if place else None,
        next=course[place + 1] if place + 1 < len(course) else None,
    )


def _checks(exam: Exam, keys: list[str]) -> dict[str, Check]:
    """The public check questions, by id, in text order."""
    rows = public_questions().filter(exam=exam, key__in=keys)
    rows = rows.select_related("live_version__solution", "live_version__domain")
    found = {question.key: question for question in rows}
    public = [key for key in keys if key in found]
    return {key: _check(place, found[key], exam) for place, key in enumerate(public, 1)}


def _check(place: int, question: Question, exam: Exam) -> Check:
    version: Any = question.live_version
    [line] = question_lines([question], exam)
    return Check(
        number=place,
        line=line,
        stem_html=version.stem_html,
        instruction=instruction(version.choose),
        options=prompt_options(version),
        breakdown=breakdown_of(version, public_order(version), 0, kept_back=0),
    )


def _section(section: dict[str, Any], checks: dict[str, Check], links: TermLinks) -> ModuleSection:
    """A section without check questions that aren't public now; each product is linked to the glossary once."""
    parts = [
        Part(part["kind"], part.get("label", ""), links.linked(part.get("html", "")), checks.get(part.get("key", "")))
        for part in section["parts"]
        if "key" not in part or part["key"] in checks
    ]
    return ModuleSection(section["number"], section["anchor"], section["title"], parts)
