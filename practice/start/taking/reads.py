"""The page of an offline drill: prompts, keys and solutions, all of public questions."""

from __future__ import annotations

from dataclasses import dataclass

from courseiva.common.masks import order_slots
from practice.learners.models import Learner
from practice.sessions.models import Mode, PracticeSession
from practice.sessions.reads.siblings import kept_back
from practice.sessions.scoring.reads import keys_in_force
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import Breakdown, breakdown_of, concept_names
from questions.versions.reads.public import instruction


@dataclass(frozen=True)
class TakenItem:
    """A question with the learner's order of options. ``right`` are the right places."""

    position: int
    version: QuestionVersion
    chosen: frozenset[int]
    right: tuple[int, ...]
    breakdown: Breakdown

    @property
    def instruction(self) -> str:
        return instruction(self.version.choose).capitalize()


@dataclass(frozen=True)
class TakenPage:
    """What the device keeps."""

    session: PracticeSession
    items: list[TakenItem]


def taken_session(learner: Learner | None) -> PracticeSession | None:
    """The current offline drill; None if there is none."""
    rows = PracticeSession.objects.select_related("exam")
    rows = rows.filter(learner=learner, mode=Mode.TAKEN, finished_at=None, discarded_at=None)
    return rows.first() if learner else None


def taken_page(session: PracticeSession) -> TakenPage:
    """The page, in a constant number of queries. Questions that are no longer public are left out."""
    items = list(session.items.order_by("position"))
    rows = QuestionVersion.objects.filter(pool=Pool.PUBLIC, question__pool=Pool.PUBLIC)
    versions = rows.select_related("solution", "question").in_bulk([item.version_id for item in items])
    names, keys = concept_names(list(versions.values())), keys_in_force(versions)
    back = kept_back(session.learner_id, versions.values())
    found = []
    for item in items:
        version = versions.get(item.version_id)
        if version is None:
            continue
        slots, masks = order_slots(item.option_order), keys[version.pk].masks
        found.append(
            TakenItem(
                position=item.position,
                version=version,
                chosen=frozenset(place for place, slot in enumerate(slots) if item.selected >> slot & 1),
                right=tuple(place for place, slot in enumerate(slots) if any(mask >> slot & 1 for mask in masks)),
                breakdown=breakdown_of(version, item.option_order, 0, names, masks, back[version.pk]),
            )
        )
    return TakenPage(session, found)
