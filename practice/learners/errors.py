"""The base of this app's errors, and an account that is gone."""

from __future__ import annotations

from questions.versions.errors import WordedError


class PracticeError(WordedError):
    """Base of this app's errors."""

    template = "practice/refused.txt"


class AccountGone(PracticeError):
    """The account was deleted while its request was under way."""
