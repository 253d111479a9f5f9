from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from practice.learners.models import Learner
from practice.sessions.models import SessionItem


def seen_questions(learner: Learner | int | None) -> QuerySet[SessionItem, Any]:
    """The learner's items that were shown, as a subquery of question ids."""
    shown = SessionItem.objects.filter(displayed_at__isnull=False)
    shown = shown.filter(session__learner=learner) if learner else shown.none()
    return shown.values("version__question_id")


def shown_questions(learner: Learner | int | None) -> QuerySet[SessionItem, Any]:
    """Those of them that a finished session has shown with their solutions."""
    return seen_questions(learner).filter(session__finished_at__isnull=False, withheld=False)
