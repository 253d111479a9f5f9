"""The base of this app's errors, and what a question's state does not allow."""

from __future__ import annotations


class QuestionsError(Exception):
    """Base of this app's errors; ``code`` is for programs and keeps its spelling."""

    code = "refused"

    def __init__(self, message: str = "", code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code


class NotNow(QuestionsError):
    """Something the question's state, or who asks, does not allow; ``str()`` says why."""
