"""When a question's facts should be looked at again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from questions.versions.models.drafts import Question


def recheck_after(question_ids: Iterable[int], day: dt.date | None) -> int:
    """Set the day for these questions, or take it away; how many were changed. It is no part of the text."""
    return Question.objects.filter(pk__in=list(question_ids)).exclude(recheck_after=day).update(recheck_after=day)
