"""All errata of the public questions, newest first: corrections, what is being checked, and what was retired."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import CharField, F, IntegerField, Max, Model, Q, QuerySet, Value
from django.db.models.functions import Cast

from courseiva.common.heads.links import Link
from questions.catalogue.models import Exam
from questions.pages.errata.reads.history import noted_reports
from questions.pages.errata.rules import CHECKING, FIRST, KIND_OF_CHANGE, REPORTED, RETIRED
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.addresses import question_address
from questions.versions.reads.public import has_address, public_questions

PER_PAGE = 50
"""Lines of one sentence."""
IN_FEED = 30
"""Feed readers ask daily or so, and keep what they have seen."""
COLUMNS = ("exam_slug", "exam_code", "question_number", "title_now", "what", "ref", "at", "said", "took_place")


@dataclass(frozen=True)
class Erratum:
    """An erratum. ``ref`` is the version it made, or the report it answers; ``note`` says why."""

    exam_slug: str
    exam: str
    question: int
    title: str
    kind: str
    ref: int
    at: dt.datetime
    note: str
    successor: Link | None

    @property
    def key(self) -> str:
        """Its permanent name in URLs and feeds."""
        return "-".join([self.exam_slug, str(self.question), self.kind, *([str(self.ref)] if self.ref else [])])

    @property
    def url(self) -> str:
        """The question's page; a retired question keeps it to say why it is gone."""
        return question_address(self.exam_slug, self.question, self.title)

    @property
    def version(self) -> int | None:
        """The version made by a correction."""
        return self.ref if self.kind in KIND_OF_CHANGE.values() else None


@dataclass(frozen=True)
class ErrataPage:
    """One page of the list; ``numbers`` are the page links at the bottom."""

    lines: list[Erratum]
    page: Page[Any]
    numbers: list[int | str]

    @property
    def total(self) -> int:
        """How many errata there are on all pages."""
        return self.page.paginator.count

    @property
    def updated_at(self) -> dt.datetime:
        """The date of its newest line; for an empty list, the earliest possible date."""
        return self.lines[0].at if self.lines else dt.datetime.fromtimestamp(0, dt.UTC)


def errata_page(number: str, per_page: int = PER_PAGE) -> ErrataPage:
    """The page with this number; at most three queries."""
    page = Paginator(_all(), per_page).get_page(number)
    rows = list(page)
    successors = _successors(row[-1] for row in rows)
    numbers = list(page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1))
    return ErrataPage([_erratum(row, successors) for row in rows], page, numbers)


def latest_erratum(exam: Exam) -> dt.datetime | None:
    """The date of an exam's newest; None if there is none. Four queries."""
    columns = ("published_at", "answered_at", "withdrawn_at", "retired_at")
    found = [
        rows.order_by().aggregate(at=Max(column))["at"] for rows, column in zip(_kinds(exam), columns, strict=True)
    ]
    return max((at for at in found if at), default=None)


def _kinds(exam: Exam | None = None) -> tuple[QuerySet[Any], ...]:
    """What errata are made of: versions, reports, questions being checked, and retired ones. Each is found by an index
    that only errata are in; no condition is a set of questions, which SQLite would collect from the whole bank."""
    of_version, of_report, of_question = (
        has_address(path) & (Q(**{f"{path}exam": exam}) if exam else Q())
        for path in ("question__", "version__question__", "")
    )
    newer = QuestionVersion.objects.exclude(change=FIRST).filter(pool=Pool.PUBLIC)
    versions = newer.filter(of_version, number__lte=F("question__live_version__number"))
    reports = noted_reports().filter(of_report, version__pool=Pool.PUBLIC)
    questions = Question.objects.filter(of_question)
    checking = questions.filter(withdrawn_at__isnull=False, retired_at=None)
    return versions, reports, checking, questions.filter(retired_at__isnull=False)


def _all() -> QuerySet[Any, Any]:
    """All errata as rows of ``COLUMNS``, newest first. Questions that are reserved now are left out."""
    versions, reports, checking, retired = _kinds()
    none, nothing = Value(0, output_field=IntegerField()), Value("", output_field=CharField())
    parts = [
        _rows(versions, "question__", F("change"), F("number"), F("published_at"), F("change_note")),
        _rows(reports, "version__question__", _text(REPORTED), F("pk"), F("answered_at"), F("public_note")),
        _rows(checking, "", _text(CHECKING), none, F("withdrawn_at"), nothing),
        _rows(retired, "", _text(RETIRED), none, F("retired_at"), F("retired_why")),
    ]
    order = [f"-{name}" for name in ("at", "exam_slug", "question_number", "what", "ref")]
    return parts[0].union(*parts[1:], all=True).order_by(*order)


def _rows(rows: QuerySet[Model], to_question: str, kind: Any, ref: Any, at: Any, said: Any) -> QuerySet[Any, Any]:
    """One part of the union. ``to_question`` is the path from a row to its question."""
    columns = {
        "exam_slug": F(f"{to_question}exam__slug"),
        "exam_code": F(f"{to_question}exam__code"),
        "question_number": F(f"{to_question}number"),
        "title_now": F(f"{to_question}live_version__title"),
        "what": kind,
        "ref": Cast(ref, IntegerField()),
        "at": at,
        "said": said,
        "took_place": F(f"{to_question}successor"),
    }
    return rows.order_by().annotate(**columns).values_list(*COLUMNS)


def _text(value: str) -> Value:
    return Value(value, output_field=CharField())


def _successors(ids: Iterable[int | None]) -> dict[int, Link]:
    """The URLs of retired questions' successors; a reserved one has no page."""
    wanted = {pk for pk in ids if pk}
    rows = public_questions().filter(pk__in=wanted).values_list("pk", "exam__slug", "number", "live_version__title")
    return {pk: Link(title, question_address(slug, n, title)) for pk, slug, n, title in rows} if wanted else {}


def _erratum(row: tuple[Any, ...], successors: dict[int, Link]) -> Erratum:
    slug, code, number, title, kind, ref, at, said, successor = row
    kind = KIND_OF_CHANGE.get(kind, kind)
    return Erratum(slug, code, number, title, kind, ref, at, said, successors.get(successor) if successor else None)
