"""Whether a reader may see a question's discussion, which gives away the answer."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest

from practice.learners.reads.identity import Owner, owner_of
from practice.sessions.models import SessionItem
from practice.sessions.reads.units import is_locked
from questions.versions.models.drafts import Pool, Question


def may_read_thread(request: HttpRequest, question: Question) -> bool:
    """Not while the question or a sibling is in the reader's unfinished mock; otherwise always for a public one.

    For a reserved one, only once one of their finished sessions has shown it with its solution.
    """
    owner = owner_of(request)
    if owner and is_locked(question, **owner.of_row):
        return False
    live = question.live_version
    if live is not None and question.pool == live.pool == Pool.PUBLIC:
        return True
    shown = {"session__finished_at__isnull": False, "withheld": False}
    return bool(owner and _items(owner, question).filter(**shown).exists())


def _items(owner: Owner, question: Question) -> QuerySet[SessionItem]:
    mine = {f"session__{name}": value for name, value in owner.of_row.items()}
    return SessionItem.objects.filter(version__question=question.pk, session__discarded_at=None, **mine)
