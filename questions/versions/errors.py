"""Errors that a person is told of, the base of this app's, and what a question's state does not allow."""

from __future__ import annotations

from django.template.loader import render_to_string


class WordedError(Exception):
    """What was asked cannot be done. ``code`` is for programs and keeps its spelling; the words are in a template.

    ``str()`` draws the template, which gets the code, the error itself, and the facts it was raised with.
    """

    code = "refused"
    template = ""

    def __init__(self, code: str = "", **facts: object) -> None:
        super().__init__(code or self.code)
        self.code = code or self.code
        self.facts = facts

    def __str__(self) -> str:
        # The template escapes nothing, so this must not count as safe: ``join`` returns a plain string.
        return " ".join(render_to_string(self.template, {"code": self.code, "error": self, **self.facts}).split())


class QuestionsError(WordedError):
    """Base of this app's errors."""

    template = "questions/refused.txt"


class NotNow(QuestionsError):
    """Something the question's state, or who asks, does not allow; ``code`` says why."""
