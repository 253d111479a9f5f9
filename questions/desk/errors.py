"""What can go wrong at the desk, as codes; templates/questions/refused.txt has the words."""

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
        super().__init__(key=key)
        self.problems = problems


class Older(QuestionsError):
    """A save that started from an older state; ``question`` is the current one, ``stored`` its draft."""

    code = "older-revision"

    def __init__(self, question: Question, stored: DraftQuestion) -> None:
        super().__init__()
        self.question, self.stored = question, stored
