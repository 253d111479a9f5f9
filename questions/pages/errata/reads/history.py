"""A question's history: its versions, its readings, and the outcomes of readers' reports."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import CharField, QuerySet, Value

from questions.pages.errata.rules import CORRECTIONS, FIRST, KIND_OF_CHANGE, OPENED, READ, REPORTED, reread_by
from questions.reports.models import ContentReport, ReportState
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion


@dataclass(frozen=True)
class HistoryLine:
    """An event. ``version`` is the version it made or is about; a reading has none, and no note.

    ``readers`` answered from the prompt alone that day, and ``agreed`` of them agreed with the key; ``by`` is their
    kind.
    """

    kind: str
    date: dt.date
    version: int | None = None
    note: str = ""
    by: str = ""
    readers: int = 0
    agreed: int = 0

    @property
    def is_correction(self) -> bool:
        """Whether it changed something published, or says what a reader's report changed."""
        return self.kind in CORRECTIONS


@dataclass(frozen=True)
class History:
    """A history, newest first. ``reviewed`` is the day the question was last checked against its sources."""

    lines: list[HistoryLine]
    reviewed: dt.date

    @property
    def reread_by(self) -> dt.date:
        """The day from which the page says that a check is overdue."""
        return reread_by(self.reviewed)

    @property
    def published(self) -> dt.date:
        """The date of the first version or, for an older bank, of the oldest line."""
        first = [line.date for line in self.lines if line.kind == FIRST]
        return min(first or [line.date for line in self.lines])

    @property
    def changed(self) -> dt.date:
        """When the page's content last changed; a reading changes nothing."""
        return max(line.date for line in self.lines if line.kind not in (READ, OPENED))

    @property
    def corrections(self) -> list[HistoryLine]:
        """Corrections, newest first."""
        return [line for line in self.lines if line.is_correction]


def history_of(version: QuestionVersion, question: Question, has_notes: bool) -> History:
    """The history of this live version's question, in one query; none for a first version without notes."""
    readings = _readings(version, question)
    lines = sorted(
        [*_changes(version, has_notes), *readings], key=lambda line: (line.date, line.version or 0), reverse=True
    )
    return History(lines, max((line.date for line in readings), default=version.published_at.date()))


def noted_reports() -> QuerySet[ContentReport]:
    """Readers' reports whose outcome is in a history."""
    return ContentReport.objects.filter(state=ReportState.ACCEPTED).exclude(public_note="")


def _readings(version: QuestionVersion, question: Question) -> list[HistoryLine]:
    """When a second person or prompt readers read the question, and when its sources were last opened."""
    opened = [dt.date.fromisoformat(source["as_of"]) for source in version.solution.text["sources"] if source["as_of"]]
    found = [HistoryLine(READ, question.second_read_on)] if question.second_read_on else []
    if opened:
        found.append(HistoryLine(OPENED, max(opened)))
    for day in question.readings:
        on = dt.date.fromisoformat(day["on"])
        found.append(HistoryLine(READ, on, by=day["by"], readers=day["readers"], agreed=day["agreed"]))
    return found


def _changes(version: QuestionVersion, has_notes: bool) -> list[HistoryLine]:
    if version.number == 1 and not has_notes:
        return [_line(1, version.published_at, version.change, version.change_note)]
    versions = QuestionVersion.objects.order_by().filter(question=version.question_id, number__lte=version.number)
    rows = versions.values_list("number", "published_at", "change", "change_note")
    reports = noted_reports().filter(version__question=version.question_id)
    kind = Value(REPORTED, output_field=CharField())
    notes = reports.values_list("version__number", "answered_at", kind, "public_note")
    return [_line(*row) for row in rows.union(notes, all=True)]


def _line(number: int, at: dt.datetime, kind: str, note: str) -> HistoryLine:
    return HistoryLine(KIND_OF_CHANGE.get(kind, kind), at.date(), number, note)
