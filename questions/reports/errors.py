"""What can go wrong with an error report, as codes; templates/questions/refused.txt has the words."""

from __future__ import annotations

from questions.reports.models import ContentReport
from questions.versions.errors import QuestionsError


class ReportError(QuestionsError):
    """Base of the errors of error reports."""


class ReportRefused(ReportError):
    """An incomplete report or answer; ``code`` says what is missing."""


class TooManyReports(ReportError):
    """The hourly limit of reports is reached; ``minutes`` is how long to wait."""

    code = "too-many-reports"

    def __init__(self, limit: int, minutes: int) -> None:
        super().__init__(limit=limit)
        self.minutes = minutes


class AlreadyAnswered(ReportError):
    """Somebody answered the report after this page was opened; ``report`` has the answer."""

    code = "already-answered"

    def __init__(self, report: ContentReport) -> None:
        super().__init__()
        self.report = report
