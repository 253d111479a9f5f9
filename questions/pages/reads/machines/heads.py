"""What stands in the head of each public page: title, description, address, breadcrumb, preview, data block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse
from django.utils.text import Truncator

from questions.catalogue.models import Exam
from questions.pages.reads.collections import CollectionPage
from questions.pages.reads.exams import DomainPage, ExamLine, ExamPage, TopicPage
from questions.pages.reads.lists import QuestionList
from questions.pages.reads.machines import structured_data as data
from questions.pages.reads.modules import ModulePage
from questions.pages.reads.questions import QuestionPage
from questions.versions.reads.public import Link

LONGEST = 160  # characters of a description, which is what others show of it
PREVIEW = "img/preview.png"


@dataclass(frozen=True)
class Head:
    """The head of a page. ``base`` is scheme and host of the site; ``trail`` ends with the page itself."""

    base: str
    address: str
    title: str
    description: str
    trail: Sequence[Link] = ()
    nodes: Sequence[data.Node] = ()
    exam: Exam | None = None
    is_indexed: bool = True

    @property
    def url(self) -> str:
        """The one address of the page."""
        return self.base + self.address

    @property
    def graph(self) -> data.Node:
        """The data block."""
        return data.graph([*([data.crumbs(self.trail, self.base)] if self.trail else []), *self.nodes])

    @property
    def image(self) -> str:
        """The picture other sites show: the exam's, if one was drawn."""
        return self.base + staticfiles_storage.url(picture_of(self.exam.slug) if self.exam else PREVIEW)

    @property
    def feed(self) -> str:
        """What is new in the exam."""
        return reverse("feed", args=[self.exam.slug]) if self.exam else ""


@cache
def picture_of(exam_slug: str) -> str:
    """The static file with the exam's name on it; the site's where there is none."""
    name = f"img/preview-{exam_slug}.png"
    return name if finders.find(name) else PREVIEW


def text_head(
    base: str,
    title: str,
    description: str,
    trail: Sequence[Link],
    nodes: Sequence[data.Node] = (),
    exam: Exam | None = None,
) -> Head:
    """A page of text; the last of the trail is the page itself."""
    here = trail[-1].url
    return Head(base, here, title, _short(description), trail, [data.web_page(title, here, base), *nodes], exam)


def exams_head(exams: Sequence[ExamLine], base: str) -> Head:
    """All exams."""
    address = reverse("exams")
    codes = ", ".join(line.exam.code for line in exams) or "none yet"
    return Head(
        base=base,
        address=address,
        title="Exams",
        description=_short(
            f"The certification exams you can practise for here ({codes}), with the number of open questions and the "
            "guide each follows."
        ),
        trail=[_exams()],
        nodes=[data.web_page("Exams", address, base)],
    )


def exam_head(page: ExamPage, base: str) -> Head:
    """An exam."""
    exam, address = page.exam, page.exam.get_absolute_url()
    changed = f", and what the {page.current.name} changed" if page.current and page.changes else ""
    return Head(
        base=base,
        address=address,
        title=f"{exam.name} ({exam.code})",
        description=_short(
            f"{exam.name}: {page.question_count} open practice questions, the sections with their weights{changed}."
        ),
        trail=to_exam(exam),
        nodes=[data.exam_resource(page, address, base)],
        exam=exam,
    )


def questions_head(exam: Exam, listed: QuestionList, chosen: bool, base: str) -> Head:
    """The list of an exam's questions; only the whole list, unfiltered, is for search engines."""
    address = reverse("questions", args=[exam.slug])
    number = listed.page.number
    later = not chosen and number > 1
    title = f"{exam.code} questions" + (f", page {number}" if later else "")
    return Head(
        base=base,
        address=f"{address}?page={number}" if later else address,
        title=title,
        description=_short(
            f"{listed.total} open practice questions for {exam.name}, by section, topic, difficulty and kind"
            + (f": page {number}." if later else ".")
        ),
        trail=[*to_exam(exam), Link("Questions", address)],
        nodes=[data.listing(title, address, listed.lines, base)],
        exam=exam,
        is_indexed=not chosen,
    )


def domain_head(page: DomainPage, base: str) -> Head:
    """A section."""
    exam, address = page.exam, reverse("domain", args=[page.exam.slug, page.key])
    title = f"{exam.code} section {page.number}: {page.name}"
    return Head(
        base=base,
        address=address,
        title=title,
        description=_short(
            f"{page.question_count} open practice questions for section {page.number} of {exam.name}: {page.name}."
        ),
        trail=[*to_exam(exam), Link(page.name, address)],
        nodes=[data.listing(title, address, page.questions, base)],
        exam=exam,
    )


def topic_head(page: TopicPage, base: str) -> Head:
    """A topic."""
    exam, address = page.exam, reverse("topic", args=[page.exam.slug, page.key])
    title = f"{page.name} · {exam.code}"
    return Head(
        base=base,
        address=address,
        title=title,
        description=_short(
            f"{page.name} in the {exam.name} exam: {page.question_count} open practice "
            f"question{'' if page.question_count == 1 else 's'}, section {page.section_number}, {page.section.name}."
        ),
        trail=[*to_exam(exam), page.section, Link(page.name, address)],
        nodes=[data.listing(title, address, page.questions, base)],
        exam=exam,
    )


def collections_head(exam: Exam, base: str) -> Head:
    """The list of an exam's collections."""
    address = reverse("collections", args=[exam.slug])
    title = f"{exam.code} question collections"
    return Head(
        base=base,
        address=address,
        title=title,
        description=_short(
            f"The open questions of {exam.name} in sets: by difficulty, by kind, fundamentals, scenarios, "
            "troubleshooting, by section and by topic."
        ),
        trail=[*to_exam(exam), Link("Collections", address)],
        nodes=[data.web_page(title, address, base)],
        exam=exam,
    )


def collection_head(page: CollectionPage, base: str) -> Head:
    """A collection."""
    exam, address = page.exam, reverse("collection", args=[page.exam.slug, page.collection.slug])
    title = f"{page.collection.name} · {exam.code}"
    return Head(
        base=base,
        address=address,
        title=title,
        description=_short(f"{page.listed.total} {exam.code} practice questions. {page.collection.words}"),
        trail=[
            *to_exam(exam),
            Link("Collections", reverse("collections", args=[exam.slug])),
            Link(page.collection.name, address),
        ],
        nodes=[data.listing(title, address, page.listed.lines, base)],
        exam=exam,
    )


def module_head(page: ModulePage, base: str) -> Head:
    """A study module."""
    exam, module = page.exam, page.module
    address = reverse("module", args=[exam.slug, module.number, module.slug])
    return Head(
        base=base,
        address=address,
        title=f"{module.number} {module.title} · {exam.code}",
        description=_short(module.summary),
        trail=[*to_exam(exam), page.section, Link(module.title, address)],
        nodes=[data.module_resource(page, address, base)],
        exam=exam,
    )


def question_head(page: QuestionPage, base: str) -> Head:
    """A question. While its answer is being checked the data block says only where the page stands."""
    exam = page.exam
    shown = (
        [data.quiz(page, page.solution, base), data.faq((asked, str(answer)) for asked, answer in page.faq)]
        if page.solution
        else []
    )
    return Head(
        base=base,
        address=page.url,
        title=f"{page.title} · {exam.code} question {page.number}",
        description=_short(
            f"{exam.code} question {page.number}, section {page.section.number}, {page.difficulty}, "
            f"{page.instruction}: {page.title}. With clue words, the answer, and why each option is right or wrong."
        ),
        trail=[
            *to_exam(exam),
            Link(f"Section {page.section.number}", page.section.url),
            Link(f"Question {page.number}", page.url),
        ],
        nodes=shown,
        exam=exam,
    )


def _exams() -> Link:
    return Link("Exams", reverse("exams"))


def to_exam(exam: Exam) -> list[Link]:
    """The way from all exams to this one."""
    return [_exams(), Link(exam.code, exam.get_absolute_url())]


def _short(text: str) -> str:
    return Truncator(" ".join(text.split())).chars(LONGEST)
