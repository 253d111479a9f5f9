"""Whether a reader may see the discussion of a question."""

from __future__ import annotations

from django.http import HttpRequest

from practice.identity import owner_of
from practice.models import Mode, SessionItem
from questions.models import Pool, Question


def may_read_thread(request: HttpRequest, question: Question) -> bool:
    """False while the question is in the reader's unfinished mock.

    Otherwise true for open questions; for reserved ones true once a finished sitting of theirs contained it.
    """
    owner = owner_of(request)
    if owner is None:
        return question.pool == Pool.OPEN
    rows = SessionItem.objects.filter(version__question=question, session__discarded_at=None)
    rows = rows.filter(**{f"session__{name}": value for name, value in owner.of_row.items()})
    if rows.filter(session__mode=Mode.MOCK, session__finished_at=None).exists():
        return False
    return question.pool == Pool.OPEN or rows.filter(session__finished_at__isnull=False).exists()
