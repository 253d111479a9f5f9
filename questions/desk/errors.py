"""What can go wrong at the desk, with messages fit for the editor."""

from __future__ import annotations

from collections.abc import Sequence

from questions.lint.rules import Problem
from questions.versions.errors import QuestionsError
from questions.versions.models.drafts import Question
from questions.versions.rules.draft import DraftQuestion


class NotPublishable(QuestionsError):
    """A draft that lint refuses; ``problems`` says why."""

    code = "not-publishable"

    def __init__(self, key: str, problems: Sequence[Problem]) -> None:
        super().__init__(f"{key} can't be published: " + "; ".join(f"{p.field}: {p.message}" for p in problems))
        self.problems = problems


class Older(QuestionsError):
    """A save that started from an older state; ``question`` is as it is now, ``stored`` its draft."""

    code = "older-revision"

    def __init__(self, question: Question, stored: DraftQuestion) -> None:
        super().__init__("Somebody else saved this question after you opened it.")
        self.question, self.stored = question, stored
