"""The base of this app's errors, and an account that is gone."""

from __future__ import annotations


class PracticeError(Exception):
    """Base of this app's errors; ``str()`` is shown to the learner."""


class AccountGone(PracticeError):
    """The account was deleted while its request was under way."""
