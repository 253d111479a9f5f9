"""What can go wrong with an error report, in codes; templates/questions/refused.txt has the words."""

from __future__ import annotations

from questions.reports.models import ContentReport
from questions.versions.errors import QuestionsError


class ReportError(QuestionsError):
    """Base of what can go wrong with an error report."""


class ReportRefused(ReportError):
    """A report or an answer that lacks something; ``code`` says what."""


class TooManyReports(ReportError):
    """One person's reports of this hour are used up; ``minutes`` is how long to wait."""

    code = "too-many-reports"

    def __init__(self, limit: int, minutes: int) -> None:
        super().__init__(limit=limit)
        self.minutes = minutes


class AlreadyAnswered(ReportError):
    """Somebody answered the report after this page was opened; ``report`` holds what was said."""

    code = "already-answered"

    def __init__(self, report: ContentReport) -> None:
        super().__init__()
        self.report = report
