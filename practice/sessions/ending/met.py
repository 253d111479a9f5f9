"""When a learner first met a question elsewhere, and whether an answer is the first exposure to it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Case, Min, QuerySet, When
from django.db.models.functions import Coalesce

from courseiva.common.quick.columns import whole_second
from courseiva.common.quick.statements import composed_once
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.reads.tally.reads import items_since, met_by


def stamp_exposure(item: SessionItem, met: Mapping[int, dt.datetime]) -> None:
    """Record whether this answer was the learner's first exposure to the question, without the hint."""
    before = met.get(item.version_id)
    at = item.answered_at
    item.first_exposure = at is not None and not item.hint_opened and (before is None or before >= at)


def first_met(
    session: PracticeSession, question_of: Mapping[int, int], answered: dt.datetime | None = None
) -> dict[int, dt.datetime]:
    """When the learner first answered or was shown the solution of each question, elsewhere; by version id, as given.

    A mock's result has shown the solutions of blanks as well. ``answered`` is when the first of these answers was
    given: a question that the stored tally knows to have been met before it has the tally's time, which saves reading
    a long past.
    """
    asked = set(question_of.values())
    met = _met_before(session, asked, answered)
    if session.reopened_at:
        # Its own result has shown the solutions: anything answered since, or accepted then, is no first exposure.
        shown_at = session.reopened_at - dt.timedelta(microseconds=1)
        for question in asked:
            met[question] = min(met.get(question, shown_at), shown_at)
    return {version: met[question] for version, question in question_of.items() if question in met}


def _met_before(session: PracticeSession, asked: set[int], answered: dt.datetime | None) -> dict[int, dt.datetime]:
    learner, exam = session.learner_id, session.exam_id
    known = met_by(learner, exam) if answered else None
    met: dict[int, dt.datetime] = {}
    # Times of items are rounded up, so what was counted may bear the next whole second.
    if known and answered and whole_second(known.until) < answered:
        met = dict.fromkeys(asked & known.questions, known.until)
        rows = _since(learner, exam, known.until, session.pk, list(asked - known.questions))
    else:
        rows = _ever(learner, session.pk, list(asked))
    return met | {question: at for question, at in rows if at}


@composed_once
def _ever(learner: int, but: int, questions: list[int]) -> QuerySet[SessionItem, Any]:
    return _first(SessionItem.objects.filter(session__learner=learner), but, questions)


@composed_once
def _since(learner: int, exam: int, since: dt.datetime, but: int, questions: list[int]) -> QuerySet[SessionItem, Any]:
    return _first(items_since(learner, exam, since, ()), but, questions)


def _first(
    items: QuerySet[SessionItem, SessionItem], but: int, questions: Collection[int]
) -> QuerySet[SessionItem, Any]:
    """Each question with the first time, except in the session ``but``."""
    shown = Case(
        When(session__mode=Mode.MOCK, displayed_at__isnull=False, withheld=False, then="session__finished_at"),
        When(session__mode=Mode.TAKEN, then="displayed_at"),  # an offline drill comes with its solutions
    )
    found = items.filter(session__discarded_at=None, version__question__in=questions).exclude(session=but).order_by()
    return found.values_list("version__question").annotate(at=Min(Coalesce("answered_at", "checked_at", shown)))
