"""The base of this app's errors, and an account that is gone."""

from __future__ import annotations


class PracticeError(Exception):
    """Base of this app's errors; ``str()`` is shown to the learner, ``code`` is for programs and keeps its spelling."""

    code = "refused"

    def __init__(self, message: str = "", code: str = "") -> None:
        super().__init__(message)
        self.code = code or self.code


class AccountGone(PracticeError):
    """The account was deleted while its request was under way."""
