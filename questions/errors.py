"""What can go wrong here, with messages fit for the person who caused it."""

from __future__ import annotations

from collections.abc import Sequence

from questions.lint import Problem


class QuestionsError(Exception):
    """Base of this app's errors."""


class NotPublishable(QuestionsError):
    """A draft that lint refuses; ``problems`` says why."""

    def __init__(self, key: str, problems: Sequence[Problem]) -> None:
        super().__init__(f"{key} cannot be published: " + "; ".join(f"{p.field}: {p.message}" for p in problems))
        self.problems = problems


class BankRefused(QuestionsError):
    """A bank file that was not stored; ``findings`` are lines for the editor."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("\n".join(findings))
        self.findings = list(findings)
