"""What the tests read from tables and not from pages. Whoever renames a table or column updates it here."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from discussion.models import Comment
from practice.models import ReadinessSnapshot, ReviewCard, Standing
from questions.models import OptionStatistics, Question, Solution, VersionStatistics


def versions() -> dict[str, str]:
    """Return a digest of each published version, as make_dump.py records it."""
    rows = Solution.objects.select_related("version__question").order_by("pk")
    return {f"{row.version.question.key} {row.version.number}": _short(row) for row in rows}


def _short(row: Solution) -> str:
    version = row.version
    options = [[option["slot"], option["text"]] for option in version.options]
    return hashlib.sha256(json.dumps([version.title, version.stem, options, row.key_mask]).encode()).hexdigest()[:16]


def item_statistics() -> dict[str, list[dict[str, Any]]]:
    """Return the counts of versions and options without rows of zeros; a rebuild gives the same whole numbers."""
    return {
        "versions": list(VersionStatistics.objects.filter(n__gt=0).order_by("version").values()),
        "options": [
            {name: value for name, value in row.items() if name != "id"}
            for row in OptionStatistics.objects.filter(n__gt=0).order_by("version", "slot").values()
        ],
    }


def derived_of_learners() -> dict[str, list[Any]]:
    """Return which predictions and cards there are, but not what they predict, which depends on the current model."""
    return {
        "snapshots": list(ReadinessSnapshot.objects.order_by("session").values_list("session__uuid", "answers")),
        "standings": list(Standing.objects.order_by("learner", "exam").values_list("learner", "exam", "answers")),
        "cards": list(ReviewCard.objects.order_by("learner", "question").values_list("learner", "question")),
    }


def question_id(key: str) -> int:
    """Return the row id of a question in the made-up exam."""
    return int(Question.objects.values_list("pk", flat=True).get(exam__slug="harbours", key=key))


def live_version_number(key: str) -> int | None:
    """Return the number of a question's live version."""
    return Question.objects.values_list("live_version__number", flat=True).get(exam__slug="harbours", key=key)


def comment_id(text: str) -> int:
    """Return the id of the comment with this text."""
    return int(Comment.objects.values_list("pk", flat=True).get(text__contains=text))
