"""One marked item of a session, as shown to the learner."""

from __future__ import annotations

from dataclasses import replace

from django.db.models import QuerySet

from courseiva.common.quick.statements import composed_once
from practice.sessions.models import PracticeSession, SessionItem
from practice.sessions.reads.siblings import kept_back
from practice.sessions.scoring.reads import Key, keys_in_force
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import Breakdown, breakdown_of, concept_names


def is_withheld(session: PracticeSession, position: int) -> bool:
    """Whether this finished session withholds the question's solution because it wasn't displayed."""
    return session.items.filter(position=position, withheld=True).exists()


def item_breakdown(session: PracticeSession, position: int) -> tuple[SessionItem, QuestionVersion, Breakdown] | None:
    """One question of a finished session, or a checked one of a running drill; None for others and withheld ones."""
    item = next(iter(session.items.filter(position=position).order_by()), None)
    if item is None or not may_be_shown(session, item):
        return None
    return item, *broken_down(session, item, keys_in_force([item.version_id])[item.version_id])


def may_be_shown(session: PracticeSession, item: SessionItem) -> bool:
    """Whether this question of the session may be read with its solution."""
    return not (item.withheld or session.discarded_at) and bool(session.finished_at or item.checked_at)


def broken_down(session: PracticeSession, item: SessionItem, key: Key) -> tuple[QuestionVersion, Breakdown]:
    """The breakdown of a question that may be shown, with its version, solution, question and exam loaded."""
    (version,) = _solved(item.version_id)
    names = concept_names([version])
    back = kept_back(session.learner_id, [version])[version.pk]
    breakdown = breakdown_of(version, item.option_order, item.selected, names, key.masks, back)
    return version, replace(breakdown, seconds=item.seconds)


@composed_once
def _solved(version: int) -> QuerySet[QuestionVersion]:
    return QuestionVersion.objects.select_related("solution", "question__exam").filter(pk=version).order_by()
