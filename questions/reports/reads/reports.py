"""Error reports as seen by their reporters: a form's target, one report, all of one's own."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from courseiva.common.masks import order_slots
from questions.reports.models import ContentReport, ReportState
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.addresses import question_address
from questions.versions.reads.breakdowns import LETTERS, public_order
from questions.versions.reads.prompts import PromptOption
from questions.versions.reads.public import public_address, with_address

PER_PAGE = 20
"""Each has the report and its answer in full."""
MAX_DIGITS = 4  # of a version number


@dataclass(frozen=True)
class ReportTarget:
    """The target of a report form. ``back`` is the page it was reached from; ``trail`` is the receipt's breadcrumb."""

    version: QuestionVersion
    options: list[PromptOption]
    name: str
    back: str
    trail: str = ""
    newest: int | None = None


@dataclass(frozen=True)
class ReportLine:
    """A report as seen by its reporter. Reserved questions are named only to a signed-in reporter."""

    report: ContentReport
    exam_code: str
    number: int | None
    title: str
    option_html: str
    question_url: str

    @property
    def is_open(self) -> bool:
        """Whether nobody has answered it yet."""
        return self.report.state == ReportState.OPEN


@dataclass(frozen=True)
class ReportsPage:
    """One person's reports, newest first. ``waiting`` is the length of the queue for editors; None for others."""

    lines: list[ReportLine]
    pages: Page[ContentReport]
    waiting: int | None


def open_target(question_id: int, version_number: str) -> ReportTarget | None:
    """The target of a report on a public question: the version that was read, else the live one."""
    question = (
        with_address().filter(retired_at=None).select_related("exam", "live_version").filter(pk=question_id).first()
    )
    if question is None or question.live_version is None:
        return None
    live = question.live_version
    version = _version_read(question, version_number) or live
    return ReportTarget(
        version=version,
        options=_options(version, public_order(version)),
        name=f"{question.exam.code} question {question.number}",
        back=question_address(question.exam.slug, question.number, live.title),
        newest=live.number if version.pk != live.pk else None,
    )


def shown_target(version: QuestionVersion, order: str, name: str, back: str, trail: str) -> ReportTarget:
    """The target of a report from a session; ``order`` is this learner's option order."""
    return ReportTarget(version, _options(version, order), name, back, trail)


def find_report(token: uuid.UUID) -> ReportLine | None:
    row = _rows().filter(token=token).first()
    return _line(row) if row else None


def my_reports(user_id: int, page_number: str, is_editor: bool) -> ReportsPage:
    """A person's reports; for an editor, also how many are waiting for an answer."""
    pages = Paginator(_rows().filter(reporter=user_id).order_by("-made_at", "-pk"), PER_PAGE).get_page(page_number)
    waiting = ContentReport.objects.filter(state=ReportState.OPEN).count() if is_editor else None
    return ReportsPage([_line(row) for row in pages], pages, waiting)


def _rows() -> QuerySet[ContentReport]:
    return ContentReport.objects.select_related("version__question__exam", "version__question__live_version")


def _version_read(question: Question, number: str) -> QuestionVersion | None:
    """The version with this number, if it was public."""
    if question.live_version and number == str(question.live_version.number):
        return question.live_version
    if not number.isdecimal() or len(number) > MAX_DIGITS:
        return None
    return question.versions.filter(number=int(number), pool=Pool.PUBLIC).first()


def _options(version: QuestionVersion, order: str) -> list[PromptOption]:
    slots = order_slots(order)
    return [PromptOption(slot, LETTERS[place], version.options_html[str(slot)]) for place, slot in enumerate(slots)]


def _line(report: ContentReport) -> ReportLine:
    version, question = report.version, report.version.question
    url = public_address(version, question)
    is_named = bool(url or report.reporter_id)
    return ReportLine(
        report=report,
        exam_code=question.exam.code,
        number=question.number if url else None,
        title=version.title if is_named else "",
        option_html=version.options_html.get(str(report.slot), "") if is_named else "",
        question_url=url,
    )
