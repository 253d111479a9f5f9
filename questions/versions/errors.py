"""Errors shown to people, the base of this app's errors, and what a question's state doesn't allow."""

from __future__ import annotations

from django.template.loader import render_to_string


class WordedError(Exception):
    """The request can't be fulfilled. ``code`` is for programs and never changes; the words are in a template.

    ``str()`` renders the template, which gets the code, the error itself, and the facts it was raised with.
    """

    code = "refused"
    template = ""

    def __init__(self, code: str = "", **facts: object) -> None:
        super().__init__(code or self.code)
        self.code = code or self.code
        self.facts = facts

    def __str__(self) -> str:
        # The template doesn't escape, so this mustn't be marked safe: ``join`` returns a plain string.
        return " ".join(render_to_string(self.template, {"code": self.code, "error": self, **self.facts}).split())


class QuestionsError(WordedError):
    """Base of this app's errors."""

    template = "questions/refused.txt"


class NotNow(QuestionsError):
    """Something that the question's state or the person's permissions don't allow; ``code`` says why."""
