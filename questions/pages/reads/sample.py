"""A public question to try, a different one each day."""

from __future__ import annotations

import datetime as dt

from questions.catalogue.models import Exam
from questions.versions.models.drafts import Question
from questions.versions.reads.public import public_questions


def question_of_the_day(exam: Exam, count: int, today: dt.date) -> Question | None:
    """Goes through the exam's public questions by number, one a day; ``count`` is how many there are."""
    if not count:
        return None
    start = today.toordinal() % count
    return public_questions().filter(exam=exam).select_related("exam").order_by("number")[start : start + 1].first()
