"""Changes to a question since a learner answered it: its regrades, and how its text changed."""

from __future__ import annotations

from dataclasses import dataclass

from practice.sessions.models import PracticeSession
from practice.sessions.reads.breakdown import item_breakdown
from practice.sessions.scoring.models import Regrade
from questions.versions.models.versions import QuestionVersion, Solution
from questions.versions.reads.drafts import draft_of_version
from questions.versions.rules.draft_diff import FieldChange, changes

UNSEEN_BY_LEARNERS = {"pool", "modules"}


@dataclass(frozen=True)
class ItemChanges:
    """The answered version, the live one, and the differences between them."""

    seen: QuestionVersion
    live: QuestionVersion
    regrades: list[Regrade]
    changes: list[FieldChange]


def item_changes(session: PracticeSession, position: int) -> ItemChanges | None:
    """For a question that may be shown with its solution; None for any other."""
    found = item_breakdown(session, position)
    if found is None:
        return None
    seen = found[1]
    live = seen.question.live_version or seen
    rows = Solution.objects.select_related("version__question", "version__domain", "version__hint")
    texts = {row.pk: draft_of_version(row) for row in rows.filter(pk__in={seen.pk, live.pk})}
    differing = changes(texts[seen.pk], texts[live.pk])
    return ItemChanges(
        seen=seen,
        live=live,
        regrades=list(seen.regrades.all()),
        changes=[change for change in differing if change.name not in UNSEEN_BY_LEARNERS],
    )
