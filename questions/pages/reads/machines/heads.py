"""The heads of the pages of exams, questions and modules."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from courseiva.common.heads.head import Head, short
from courseiva.common.heads.links import Link
from courseiva.common.heads.structured_data import plain_text, web_page
from courseiva.common.rich_text import render_inline
from questions.catalogue.models import Exam
from questions.pages.reads.collections import CollectionPage
from questions.pages.reads.exams import ConceptPage, DomainPage, ExamLine, ExamPage
from questions.pages.reads.lists import QuestionList
from questions.pages.reads.machines import structured_data as data
from questions.pages.reads.modules import ModulePage
from questions.pages.reads.questions import QuestionPage


def exams_head(exams: Sequence[ExamLine], base: str) -> Head:
    address = reverse("exams")
    codes = ", ".join(line.exam.code for line in exams) or "none yet"
    return Head(
        base=base,
        address=address,
        title="Exams",
        description=short(
            f"Certification exams you can practise for here ({codes}), with the number of public questions and the "
            "exam guide each one follows."
        ),
        trail=[_exams()],
        nodes=[web_page("Exams", address, base)],
    )


def exam_head(page: ExamPage, base: str) -> Head:
    exam, address = page.exam, page.exam.get_absolute_url()
    changed = f", and what the {page.current.name} changed" if page.current and page.changes else ""
    return Head(
        base=base,
        address=address,
        title=f"{exam.name} ({exam.code})",
        description=short(
            f"{exam.name}: {page.question_count} public practice questions, the domains with their weights{changed}."
        ),
        trail=to_exam(exam),
        nodes=[data.exam_resource(page, address, base)],
        exam=exam,
    )


def questions_head(exam: Exam, listed: QuestionList, chosen: bool, base: str) -> Head:
    """The head of an exam's question list; only the complete, unfiltered list is for search engines."""
    address = reverse("questions", args=[exam.slug])
    number = listed.page.number
    later = not chosen and number > 1
    title = f"{exam.code} questions" + (f", page {number}" if later else "")
    return Head(
        base=base,
        address=f"{address}?page={number}" if later else address,
        title=title,
        description=short(
            f"{listed.total} public practice questions for {exam.name}, by domain, concept, difficulty and type"
            + (f": page {number}." if later else ".")
        ),
        trail=[*to_exam(exam), Link("Questions", address)],
        nodes=[data.listing(title, address, listed.lines, base)],
        exam=exam,
        is_indexed=not chosen,
    )


def domain_head(page: DomainPage, base: str) -> Head:
    exam, address = page.exam, reverse("domain", args=[page.exam.slug, page.key])
    title = f"{exam.code} domain {page.number}: {page.name}"
    return Head(
        base=base,
        address=address,
        title=title,
        description=short(
            f"{page.question_count} public practice questions for domain {page.number} of {exam.name}: {page.name}."
        ),
        trail=[*to_exam(exam), Link(page.name, address)],
        nodes=[data.listing(title, address, page.questions, base)],
        exam=exam,
    )


def concept_head(page: ConceptPage, base: str) -> Head:
    exam, address = page.exam, reverse("concept", args=[page.exam.slug, page.key])
    title = f"{page.name} · {exam.code}"
    return Head(
        base=base,
        address=address,
        title=title,
        description=short(
            f"{page.name} in the {exam.name} exam: {page.question_count} public practice "
            f"question{'' if page.question_count == 1 else 's'}, domain {page.domain_number}, {page.domain.name}."
        ),
        trail=[*to_exam(exam), page.domain, Link(page.name, address)],
        nodes=[data.listing(title, address, page.questions, base)],
        exam=exam,
    )


def collections_head(exam: Exam, base: str) -> Head:
    address = reverse("collections", args=[exam.slug])
    title = f"{exam.code} question collections"
    return Head(
        base=base,
        address=address,
        title=title,
        description=short(
            f"Public {exam.name} questions by difficulty, type, domain and concept, plus ready-made collections."
        ),
        trail=[*to_exam(exam), Link("Collections", address)],
        nodes=[web_page(title, address, base)],
        exam=exam,
    )


def collection_head(page: CollectionPage, base: str) -> Head:
    exam, address = page.exam, reverse("collection", args=[page.exam.slug, page.collection.slug])
    title = f"{page.collection.name} · {exam.code}"
    return Head(
        base=base,
        address=address,
        title=title,
        description=short(f"{page.listed.total} {exam.code} practice questions. {page.collection.words}"),
        trail=[
            *to_exam(exam),
            Link("Collections", reverse("collections", args=[exam.slug])),
            Link(page.collection.name, address),
        ],
        nodes=[data.listing(title, address, page.listed.lines, base)],
        exam=exam,
    )


def module_head(page: ModulePage, base: str) -> Head:
    exam, module = page.exam, page.module
    address = reverse("module", args=[exam.slug, module.number, module.slug])
    return Head(
        base=base,
        address=address,
        title=f"{module.number} {module.title} · {exam.code}",
        description=short(module.summary),
        trail=[*to_exam(exam), page.domain, Link(module.title, address)],
        nodes=[data.module_resource(page, address, base)],
        exam=exam,
    )


def question_head(page: QuestionPage, base: str) -> Head:
    """A question's head. While its answer is being checked, the data block only has the breadcrumb."""
    exam = page.exam
    # Siblings share everything else a description could say.
    apart = f"{plain_text(render_inline(page.clause))} " if page.clause else ""
    shown = [data.quiz(page, page.solution, base)] if page.solution else []
    level = f"{page.measured.percent}% of first answers right" if page.measured else page.difficulty
    return Head(
        base=base,
        address=page.url,
        title=f"{page.title} · {exam.code} question {page.number}",
        description=short(
            f"{apart}{exam.code} question {page.number}, domain {page.domain.number}, {level}, "
            f"{page.instruction}: {page.title}. With clue words, the answer, and why each option is right or wrong."
        ),
        trail=[
            *to_exam(exam),
            Link(f"Domain {page.domain.number}", page.domain.url),
            Link(f"Question {page.number}", page.url),
        ],
        nodes=shown,
        exam=exam,
    )


def _exams() -> Link:
    return Link("Exams", reverse("exams"))


def to_exam(exam: Exam) -> list[Link]:
    """The breadcrumb to this exam."""
    return [_exams(), Link(exam.code, exam.get_absolute_url())]
