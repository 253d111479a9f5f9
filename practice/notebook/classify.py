"""Why an answer was missed, as its learner says."""

from __future__ import annotations

import uuid

from practice.learners.reads.identity import Owner
from practice.notebook.keep import marked_item
from practice.sessions.errors import NotPossible
from practice.sessions.models import SessionItem


def set_miss_class(owner: Owner, session_uuid: uuid.UUID, position: int, value: str) -> None:
    """Keep why a wrong or unanswered question of the owner's was missed; "" takes it back.

    ``value`` is one of ``MissClass``. Raises NotYours, and NotPossible for an answer that was not missed.
    """
    item = marked_item(owner, session_uuid, position)
    missed = SessionItem.objects.filter(session_id=item.session_id, position=position, is_correct=False)
    if not missed.update(miss_class=value):
        raise NotPossible("not-missed")
