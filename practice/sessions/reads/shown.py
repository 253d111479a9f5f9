from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner
from practice.sessions.models import PracticeSession, SessionItem


def items_of(session: PracticeSession) -> list[SessionItem]:
    """The session's items by position, each with this session."""
    items = _by_position(session.pk)
    for item in items:
        item._state.fields_cache["session"] = session
    return items


@composed_once
def _by_position(session: int) -> QuerySet[SessionItem]:
    return SessionItem.objects.filter(session=session).order_by("position")


def seen_items(learner: Learner | int | None) -> QuerySet[SessionItem]:
    """The learner's items that were shown."""
    seen = SessionItem.objects.filter(displayed_at__isnull=False)
    return seen.filter(session__learner=learner) if learner else seen.none()


def shown_items(learner: Learner | int | None) -> QuerySet[SessionItem]:
    """Those that a finished session has shown with their solutions."""
    return seen_items(learner).filter(session__finished_at__isnull=False, withheld=False)


def seen_questions(learner: Learner | int | None) -> QuerySet[SessionItem, Any]:
    """Questions that were shown, as a subquery of ids."""
    return seen_items(learner).values("version__question_id")


def shown_questions(learner: Learner | int | None) -> QuerySet[SessionItem, Any]:
    """Questions that a finished session has shown with their solutions, as a subquery of ids."""
    return shown_items(learner).values("version__question_id")
