"""What can go wrong with a content report, with messages fit for whoever caused it."""

from __future__ import annotations

from questions.reports.models import ContentReport
from questions.versions.errors import QuestionsError


class ReportError(QuestionsError):
    """Base of what can go wrong with a content report; ``str()`` is shown to whoever caused it."""


class ReportRefused(ReportError):
    """A report or an answer that lacks something; the message says what."""


class TooManyReports(ReportError):
    """One person's reports of this hour are used up; ``minutes`` is how long to wait."""

    code = "too-many-reports"

    def __init__(self, limit: int, minutes: int) -> None:
        wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__(
            f"We take at most {limit} reports an hour from one person or network address. "
            f"Nothing you typed is lost: keep this page open and send it again in {wait}."
        )
        self.minutes = minutes


class AlreadyAnswered(ReportError):
    """Somebody answered the report after this page was opened; ``report`` holds what was said."""

    code = "already-answered"

    def __init__(self, report: ContentReport) -> None:
        who = report.answered_by.get_full_name() if report.answered_by else "Someone"
        super().__init__(f"{who} answered this report first: {report.get_state_display()}, “{report.outcome}”.")
        self.report = report
