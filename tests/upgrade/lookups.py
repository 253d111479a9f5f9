"""The few things the tests ask of tables and not of pages. Anyone who renames a table or a column updates them here."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from discussion.models import Comment
from practice.models import ReadinessSnapshot, ReviewCard, Standing
from questions.models import OptionStatistics, Question, Solution, VersionStatistics


def versions() -> dict[str, str]:
    """What each published version says and counts as right, in short, as make_dump.py records it."""
    rows = Solution.objects.select_related("version__question").order_by("pk")
    return {f"{row.version.question.key} {row.version.number}": _short(row) for row in rows}


def _short(row: Solution) -> str:
    version = row.version
    options = [[option["slot"], option["text"]] for option in version.options]
    return hashlib.sha256(json.dumps([version.title, version.stem, options, row.key_mask]).encode()).hexdigest()[:16]


def item_statistics() -> dict[str, list[dict[str, Any]]]:
    """The counts of versions and options: whole numbers, so that a rebuild gives the same ones; no rows for zero."""
    return {
        "versions": list(VersionStatistics.objects.filter(n__gt=0).order_by("version").values()),
        "options": [
            {name: value for name, value in row.items() if name != "id"}
            for row in OptionStatistics.objects.filter(n__gt=0).order_by("version", "slot").values()
        ],
    }


def derived_of_learners() -> dict[str, list[Any]]:
    """Which predictions and cards there are; what a prediction says depends on the current model."""
    return {
        "snapshots": list(ReadinessSnapshot.objects.order_by("session").values_list("session__uuid", "answers")),
        "standings": list(Standing.objects.order_by("learner", "exam").values_list("learner", "exam", "answers")),
        "cards": list(ReviewCard.objects.order_by("learner", "question").values_list("learner", "question")),
    }


def question_id(key: str) -> int:
    """The row of a question of the made-up exam."""
    return int(Question.objects.values_list("pk", flat=True).get(exam__slug="harbours", key=key))


def live_version_number(key: str) -> int | None:
    """Which version of a question is live."""
    return Question.objects.values_list("live_version__number", flat=True).get(exam__slug="harbours", key=key)


def comment_id(text: str) -> int:
    """A comment by what it says."""
    return int(Comment.objects.values_list("pk", flat=True).get(text__contains=text))
