"""The base of this app's errors, and what a question's state does not allow."""

from __future__ import annotations


class QuestionsError(Exception):
    """Base of this app's errors."""


class NotNow(QuestionsError):
    """Something the question's state, or who asks, does not allow; ``str()`` says why."""
