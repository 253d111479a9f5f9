"""A question's public page, in at most four queries: the question, names, related ones, the history."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    BooleanField,
    Case,
    CharField,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.urls import reverse

from courseiva.common.heads.links import Link
from courseiva.common.quick.statements import composed_once
from questions.catalogue.models import Blueprint, Concept, Exam, Objective, StudyModule
from questions.pages.counted.reads import fresh_since
from questions.pages.counted.rules import Counts
from questions.pages.errata.reads.history import History, history_of, noted_reports
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.addresses import question_address, title_slug
from questions.versions.reads.breakdowns import LETTERS, Breakdown, breakdown_of, public_order
from questions.versions.reads.prompts import PrintedDomain, PromptOption
from questions.versions.reads.public import (
    QuestionLine,
    instruction,
    printed_name,
    public_questions,
    question_lines,
    with_address,
)
from questions.versions.statistics.reads.figures import counts_of_live
from questions.versions.statistics.rules import LEAST_ANSWERS

RELATED = 5
"""The nearest by concept and domain; a page should end with a choice, not with another list."""
MODULES = 3
"""More would be the guide's table of contents once again."""
LINE_FIELDS = (
    "number",
    "live_version__title",
    "live_version__difficulty",
    "live_version__choose",
    "live_version__family",
    "live_version__domain__number",
)


@dataclass(frozen=True)
class Names:
    """The result of one query: names of the options' concepts, the question's sections, what it tests."""

    of_options: dict[str, str]
    concepts: list[Link]
    modules: list[Link]
    objectives: list[Link]


@dataclass(frozen=True)
class Measured:
    """A question's measured difficulty: of ``n`` first answers, ``right`` were right."""

    n: int
    right: int

    @property
    def percent(self) -> int:
        return round(100 * self.right / self.n)


@dataclass(frozen=True)
class QuestionPage:
    """Everything the page shows, the same for every reader. ``solution`` is None while the answer is being checked.

    ``measured`` is None until there are enough first answers; ``clause`` sets a variant apart from its siblings.
    """

    exam: Exam
    number: int
    title: str
    slug: str
    url: str
    domain: PrintedDomain
    blueprint: str
    difficulty: str
    measured: Measured | None
    clause: str
    instruction: str
    is_multiple: bool
    stem_html: str
    clues: list[dict[str, str]]
    options: list[PromptOption]
    solution: Breakdown | None
    is_retired: bool
    retired_why: str
    successor: Link | None
    names: Names
    related: list[QuestionLine]
    question_count: int
    version: int
    is_basic: bool
    history: History


def find_question(exam_slug: str, number: int) -> Question:
    """The question with a public address, with everything its page needs. Raises Question.DoesNotExist."""
    return _only(_row_at(exam_slug, number, fresh_since()))


def question_page(question: Question) -> QuestionPage:
    """A question's page; one not loaded by ``find_question`` costs another query."""
    row: Any = question if hasattr(question, "blueprint") else _only(_row_of(question.pk, fresh_since()))
    version, exam = row.live_version, row.exam
    is_open = row.withdrawn_at is None and row.retired_at is None
    names = _names(version, exam)
    # They were fresh when the statement ran, and may be too old by now.
    kept = Counts.of(exam.public_counts.counts) if row.is_counted else None
    order = public_order(version)
    return QuestionPage(
        exam=exam,
        number=row.number,
        title=version.title,
        slug=title_slug(version.title),
        url=question_address(exam.slug, row.number, version.title),
        domain=_domain(row, kept),
        blueprint=row.blueprint or "",
        difficulty=version.difficulty,
        measured=Measured(row.answered, row.answered_right) if (row.answered or 0) >= LEAST_ANSWERS else None,
        clause=version.clause,
        instruction=instruction(version.choose),
        is_multiple=version.choose > 1,
        stem_html=version.hint.html["stem"] if is_open else version.stem_html,
        clues=version.hint.html["clues"] if is_open else [],
        options=prompt_options(version),
        solution=breakdown_of(version, order, 0, names.of_options, kept_back=0) if is_open else None,
        is_retired=row.retired_at is not None,
        retired_why=row.retired_why,
        successor=_successor(row),
        names=names,
        related=_related(row),
        question_count=kept.total if kept else row.question_count or 0,
        is_basic=version.is_basic,
        version=version.number,
        history=history_of(version, row, row.has_notes),
    )


@composed_once
def _row_at(exam_slug: str, number: int, since: dt.datetime) -> QuerySet[Question]:
    return _page_rows(since).filter(exam__slug=exam_slug, number=number).order_by()


@composed_once
def _row_of(question: int, since: dt.datetime) -> QuerySet[Question]:
    return _page_rows(since).filter(pk=question).order_by()


def _only(rows: list[Question]) -> Question:
    """Not ``get``: with its limit, PostgreSQL may look through all questions for the one with this id."""
    for row in rows:
        return row
    raise Question.DoesNotExist


def _page_rows(since: dt.datetime) -> QuerySet[Question]:
    """Stored counts come with the exam; if they are missing or too old, the same statement counts."""
    public_ones = public_questions().order_by()
    of_exam = public_ones.filter(exam=OuterRef("exam")).values("exam")
    of_domain = public_ones.filter(live_version__domain=OuterRef("live_version__domain")).values("live_version__domain")
    blueprint = Blueprint.objects.filter(exam=OuterRef("exam"), is_current=True).values("name")
    answers = counts_of_live()
    is_counted = Q(exam__public_counts__counted_at__gte=since)
    return (
        with_address()
        .select_related("exam__public_counts", "live_version__domain", "live_version__hint", "live_version__solution")
        .defer("exam__public_counts__dates")
        .annotate(
            domain_name=printed_name("live_version__domain"),
            blueprint=Subquery(blueprint[:1]),
            has_notes=Exists(noted_reports().filter(version__question=OuterRef("pk"))),
            answered=Subquery(answers.values("n")),
            answered_right=Subquery(answers.values("right")),
            is_counted=Case(When(is_counted, then=True), default=False, output_field=BooleanField()),
            question_count=Case(When(~is_counted, then=Subquery(of_exam.annotate(n=Count("pk")).values("n")))),
            domain_count=Case(When(~is_counted, then=Subquery(of_domain.annotate(n=Count("pk")).values("n")))),
        )
    )


def _successor(row: Any) -> Link | None:
    """The URL of this question's successor; a reserved one has no page."""
    if row.successor_id is None:
        return None
    question = public_questions().filter(pk=row.successor_id).select_related("exam", "live_version").first()
    return (
        Link(question.live_version.title, question.get_absolute_url()) if question and question.live_version else None
    )


def _domain(row: Any, kept: Counts | None) -> PrintedDomain:
    domain = row.live_version.domain
    count = kept.by_domain[domain.pk] if kept else row.domain_count or 0
    url = reverse("domain", args=[row.exam.slug, domain.key])
    return PrintedDomain(domain.key, domain.number, row.domain_name or domain.key, url, count)


def prompt_options(version: QuestionVersion) -> list[PromptOption]:
    """The options in the public page's order, before an answer."""
    slots = [option["slot"] for option in version.options]
    return [PromptOption(slot, LETTERS[i], version.options_html[str(slot)]) for i, slot in enumerate(slots)]


def _names(version: QuestionVersion, exam: Exam) -> Names:
    """Concepts of the question and its options, study modules, and the current guide's objectives, in one union."""
    facts = version.solution.text
    wanted = {option["concept"] for option in facts["options"] if option["concept"]}
    taught_in = {slug: f"{mark}{section}" for slug, mark, section in (each.partition("#") for each in facts["modules"])}
    numbers = sorted(facts.get("objectives") or ())
    rows = sorted(_named(exam.pk, version.pk, version.domain_id, sorted(wanted), list(taught_in), numbers))
    chosen = sorted((row for row in rows if row[0] == "module"), key=lambda row: row[2] not in taught_in)
    return Names(
        of_options={key: name for what, _, key, name in rows if what == "concept"},
        concepts=[
            Link(name, reverse("concept", args=[exam.slug, key]))
            for what, rank, key, name in rows
            if what == "concept" and rank == 0
        ],
        modules=[
            Link(title, reverse("module", args=[exam.slug, n, slug]) + taught_in.get(slug, ""))
            for _, n, slug, title in chosen[:MODULES]
        ],
        objectives=[
            Link(number, f"{reverse('objectives', args=[exam.slug])}#objective-{number}", words)
            for what, _, number, words in rows
            if what == "objective"
        ],
    )


@composed_once
def _named(
    exam: int, version: int, domain: int, wanted: list[str], modules: list[str], objectives: list[str]
) -> QuerySet[Any, Any]:
    own = Exists(QuestionVersion.concepts.through.objects.filter(questionversion=version, concept=OuterRef("pk")))
    concepts = (
        Concept.objects.order_by()
        .filter(Q(key__in=wanted) | Q(own), domain__exam=exam)
        .annotate(
            what=Value("concept", output_field=CharField()),
            rank=Case(When(own, then=0), default=1, output_field=IntegerField()),
        )
        .values_list("what", "rank", "key", "name")
    )
    taught = (
        StudyModule.objects.order_by()
        .filter(Q(slug__in=modules) | Q(domain=domain), exam=exam)
        .annotate(what=Value("module", output_field=CharField()), rank=F("number"))
        .values_list("what", "rank", "slug", "title")
    )
    return concepts.union(taught, _objectives(objectives, exam), all=True)


def _objectives(numbers: list[str], exam: int) -> QuerySet[Objective, Any]:
    """Those of the current guide that the question names, by their printed heading or, for points, our words."""
    said = Case(When(name="", then="words"), default="name", output_field=TextField())
    return (
        Objective.objects.order_by()
        .filter(number__in=numbers, blueprint__exam=exam, blueprint__is_current=True)
        .annotate(what=Value("objective", output_field=CharField()), rank=F("place"))
        .values_list("what", "rank", "number", said)
    )


def _related(row: Question) -> list[QuestionLine]:
    """Siblings first, then others in the domain that share a concept, from the next number on."""
    version = row.live_version
    if version is None:
        return []
    rows = _near(row.exam_id, version.pk, version.domain_id, row.pk, row.number or 0, version.family_id)
    return question_lines(rows, row.exam, after=version.family_id)


@composed_once
def _near(exam: int, version: int, domain: int, question: int, number: int, family: int | None) -> QuerySet[Question]:
    through = QuestionVersion.concepts.through.objects
    own = through.filter(questionversion=version).values("concept")
    shares = Exists(through.filter(questionversion=OuterRef("live_version"), concept__in=own))
    is_sibling = Q(live_version__family__isnull=False, live_version__family=family)
    others = public_questions().filter(exam=exam, live_version__domain=domain).exclude(pk=question)
    alike = others.filter(shares).order_by("number")
    # More than RELATED of either are never shown. With the limit, the index of numbers finds them and the domain isn't
    # sorted.
    after, before = alike.filter(number__gte=number)[:RELATED], alike.filter(number__lt=number)[:RELATED]
    first, *more = (others.filter(pk__in=each.values("pk")).order_by().values("pk") for each in (after, before))
    if family is not None:  # without one, SQLite may look through the exam for siblings that nothing can be
        more.append(others.filter(is_sibling).order_by().values("pk"))
    rows = (
        public_questions()
        .filter(pk__in=first.union(*more))
        .annotate(
            far=Case(When(is_sibling, then=0), default=1, output_field=IntegerField()),
            before=Case(When(number__lt=number, then=1), default=0, output_field=IntegerField()),
        )
        .order_by("far", "before", "number")
        .select_related("live_version__domain")
    )
    return rows.only(*LINE_FIELDS)[:RELATED]
