"""Units: for practice, the questions of a family count as one; a question without a family is its own unit."""

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
    """The unit of the question at this path, as one number: a family's id, or a single question's id, negated.

    By the question's family today: a learner who saw a question before it got siblings has seen the family.
    """
    return Coalesce(F(f"{question}__family_id"), F(f"{question}__pk") * -1, output_field=BigIntegerField())


def unit_of(question: Question) -> int:
    """The same number for one question."""
    return question.family_id or -question.pk


def units_of(items: QuerySet[SessionItem, Any]) -> QuerySet[Any, Any]:
    """The units of these items, as a subquery of numbers.

    By the items' versions first, so that in a long history each version, not each answer, is looked up.
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
    """Units of which this learner was shown a question."""
    return units_of(seen_items(learner))


def shown_units(learner: Learner | int | None) -> QuerySet[Any, Any]:
    """Units of which a finished session has shown a question with its solution."""
    return units_of(shown_items(learner))


def items_of_open_mocks(**learner: Any) -> QuerySet[SessionItem]:
    """Items in unfinished mocks; ``learner`` is a filter on the session's learner, as ``learner=...``."""
    mine = {f"session__{name}": value for name, value in learner.items()}
    return SessionItem.objects.filter(
        session__mode=Mode.MOCK, session__finished_at=None, session__discarded_at=None, **mine
    )


def locked_families(learner: Learner | int | None) -> QuerySet[Any, Any]:
    """Families with a question in the learner's unfinished mock: showing a sibling may give away its key.

    Single public questions aren't locked: their page shows the answer to everybody, and nothing else gives it away.
    """
    return units_of(items_of_open_mocks(learner=learner)).filter(unit__gt=0)


def taken_units(learner: Learner | int | None) -> QuerySet[Any, Any]:
    """Units in an offline drill, whose solutions are on the device: no mock draws a variant of them."""
    items = SessionItem.objects.filter(
        session__learner=learner, session__mode=Mode.TAKEN, session__finished_at=None, session__discarded_at=None
    )
    return units_of(items)


def is_locked(question: Question, **learner: Any) -> bool:
    """Whether the question or a sibling is in the unfinished mock of the learner given by the filter."""
    return locked_among([unit_of(question)], **learner) != set()


def locked_among(units: list[int], **learner: Any) -> set[int]:
    """The locked ones among these units, in one query."""
    rows = units_of(items_of_open_mocks(**learner))
    return set(rows.filter(unit__in=units).values_list("unit", flat=True))


def is_family_locked(question: Question, **learner: Any) -> bool:
    """The same for a question with siblings; always False, without a query, for a single one."""
    return question.family_id is not None and is_locked(question, **learner)
