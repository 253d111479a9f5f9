"""Units: questions of one family are one to whoever practises; a question without a family is a unit alone."""

from __future__ import annotations

from typing import Any

from django.db.models import BigIntegerField, F, QuerySet
from django.db.models.functions import Coalesce

from practice.learners.models import Learner
from practice.sessions.models import Mode, SessionItem
from practice.sessions.reads.shown import seen_items, shown_items
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion


def unit_at(question: str) -> Coalesce:
    """The unit of the question at this path, as one number: a family's id, or a lone question's below zero.

    By the question's family of today: whoever met a question before it got siblings has met the family.
    """
    return Coalesce(F(f"{question}__family_id"), F(f"{question}_id") * -1, output_field=BigIntegerField())


def unit_of(question: Question) -> int:
    """The same number of one question."""
    return question.family_id or -question.pk


def units_of(items: QuerySet[SessionItem, Any]) -> QuerySet[Any, Any]:
    """The units of these items, as a subquery of numbers.

    By the items' versions first, so that of a long past each version is looked up once and not each answer.
    """
    versions = QuestionVersion.objects.filter(pk__in=items.order_by().values("version"))
    unit = Coalesce(F("family_id"), F("pk") * -1, output_field=BigIntegerField())
    return (
        Question.objects.filter(pk__in=versions.order_by().values("question"))
        .order_by()
        .annotate(unit=unit)
        .values("unit")
    )


def seen_units(learner: Learner | int | None) -> QuerySet[Any, Any]:
    """The units of which this learner was shown a question."""
    return units_of(seen_items(learner))


def shown_units(learner: Learner | int | None) -> QuerySet[Any, Any]:
    """Those of which a finished session has shown one with its solution."""
    return units_of(shown_items(learner))


def items_of_open_mocks(**learner: Any) -> QuerySet[SessionItem]:
    """What is in unfinished mocks; ``learner`` is a filter of the session's learner, as ``learner=...``."""
    mine = {f"session__{name}": value for name, value in learner.items()}
    return SessionItem.objects.filter(
        session__mode=Mode.MOCK, session__finished_at=None, session__discarded_at=None, **mine
    )


def locked_families(learner: Learner | int | None) -> QuerySet[Any, Any]:
    """The families with a question in the learner's unfinished mock: showing a sibling may give away its key.

    A lone question of the public pool stays: its page shows the answer to everybody, and nothing else tells of it.
    """
    return units_of(items_of_open_mocks(learner=learner)).filter(unit__gt=0)


def taken_units(learner: Learner | int | None) -> QuerySet[Any, Any]:
    """What is on the way on a device, with its solutions: no mock begins with a variant of it."""
    items = SessionItem.objects.filter(
        session__learner=learner, session__mode=Mode.TAKEN, session__finished_at=None, session__discarded_at=None
    )
    return units_of(items)


def is_locked(question: Question, **learner: Any) -> bool:
    """Whether the question or a sibling is in the unfinished mock of the learner that the filter names."""
    return locked_among([unit_of(question)], **learner) != set()


def locked_among(units: list[int], **learner: Any) -> set[int]:
    """Those of these units that are locked, in one statement."""
    rows = units_of(items_of_open_mocks(**learner))
    return set(rows.filter(unit__in=units).values_list("unit", flat=True))


def is_family_locked(question: Question, **learner: Any) -> bool:
    """The same of a question that has siblings; never of a lone one, which costs no statement."""
    return question.family_id is not None and is_locked(question, **learner)
