"""What can go wrong here, with messages fit for the person who caused it."""

from __future__ import annotations

from collections.abc import Sequence

from questions.draft import DraftQuestion
from questions.lint import Problem
from questions.models import ContentReport, Question


class QuestionsError(Exception):
    """Base of this app's errors."""


class NotPublishable(QuestionsError):
    """A draft that lint refuses; ``problems`` says why."""

    def __init__(self, key: str, problems: Sequence[Problem]) -> None:
        super().__init__(f"{key} cannot be published: " + "; ".join(f"{p.field}: {p.message}" for p in problems))
        self.problems = problems


class NotNow(QuestionsError):
    """Something the question's state, or who asks, does not allow; ``str()`` says why."""


class Older(QuestionsError):
    """A save that started from an older state; ``question`` is as it is now, ``stored`` its draft."""

    def __init__(self, question: Question, stored: DraftQuestion) -> None:
        super().__init__("Somebody saved this question after you opened it.")
        self.question, self.stored = question, stored


class BankRefused(QuestionsError):
    """A bank file that was not stored; ``findings`` are lines for the editor."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("\n".join(findings))
        self.findings = list(findings)


class ImportRefused(QuestionsError):
    """An import or export that cannot begin: no such exam or domain."""


class ReportError(QuestionsError):
    """Base of what can go wrong with a content report; ``str()`` is shown to whoever caused it."""


class ReportRefused(ReportError):
    """A report or an answer that lacks something; the message says what."""


class TooManyReports(ReportError):
    """One person's reports of this hour are used up; ``minutes`` is how long to wait."""

    def __init__(self, limit: int, minutes: int) -> None:
        wait = "1 minute" if minutes == 1 else f"{minutes} minutes"
        super().__init__(
            f"{limit} reports within an hour is the most we take from one person or one network address. "
            f"Nothing you typed is lost: keep this page open and send it again in {wait}."
        )
        self.minutes = minutes


class AlreadyAnswered(ReportError):
    """Somebody answered the report after this page was opened; ``report`` holds what was said."""

    def __init__(self, report: ContentReport) -> None:
        who = report.answered_by.get_full_name() if report.answered_by else "Somebody"
        super().__init__(f"{who} answered this report first: {report.get_state_display()}, “{report.outcome}”.")
        self.report = report
