"""A learner's private note and star, one of each per question, and why an answer was missed."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from practice.learners.models import Learner, Note, Star
from practice.learners.reads.identity import Owner, owners_in_turn
from practice.sessions.errors import NotPossible, NotYours
from practice.sessions.models import UNLISTED, Mode, SessionItem


def keep_note(owner: Owner, session_uuid: uuid.UUID, position: int, text: str, now: dt.datetime) -> SessionItem:
    """Store a note on a marked question of the owner's session, or on an answered variant; an empty text deletes it.

    Raises NotYours.
    """
    with transaction.atomic():
        item, key = _held(owner, session_uuid, position)
        if text:
            Note.objects.update_or_create(**key, defaults={"text": text, "changed_at": now})
        else:
            Note.objects.filter(**key).delete()
    return item


def set_star(owner: Owner, session_uuid: uuid.UUID, position: int, on: bool, now: dt.datetime) -> SessionItem:
    """Star a marked question of the owner's session, or remove the star. Raises NotYours."""
    with transaction.atomic():
        item, key = _held(owner, session_uuid, position)
        if on:
            Star.objects.get_or_create(**key, defaults={"made_at": now})
        else:
            Star.objects.filter(**key).delete()
    return item


def set_miss_class(owner: Owner, session_uuid: uuid.UUID, position: int, value: str) -> None:
    """Store why a wrong or unanswered question of the owner's was missed; "" removes the reason.

    ``value`` is one of ``MissClass``. Raises NotYours, and NotPossible for an answer that wasn't missed.
    """
    item = marked_item(owner, session_uuid, position)
    missed = SessionItem.objects.filter(session_id=item.session_id, position=position, is_correct=False)
    if not missed.update(miss_class=value):
        raise NotPossible("not-missed")
    # The counts by reason are deleted: the next read recounts.
    item.session.learner.standings.filter(exam=item.session.exam_id).update(misses="")


def _held(owner: Owner, session_uuid: uuid.UUID, position: int) -> tuple[SessionItem, dict[str, Any]]:
    """The item with its learner and question; the learner is locked so that no adoption leaves the row behind."""
    for each in owners_in_turn(owner):
        learner = Learner.objects.select_for_update().filter(**each.of_learner).first()
        item = _found(each, session_uuid, position, but=(Mode.PAGE,)) if learner else None
        if item:
            return item, {"learner": learner, "question_id": item.version.question_id}
    raise NotYours


def marked_item(owner: Owner, session_uuid: uuid.UUID, position: int) -> SessionItem:
    """The owner's item, if it may be shown with its solution. Raises NotYours."""
    for each in owners_in_turn(owner):
        item = _found(each, session_uuid, position)
        if item:
            return item
    raise NotYours


def _found(owner: Owner, session_uuid: uuid.UUID, position: int, but: Sequence[Mode] = UNLISTED) -> SessionItem | None:
    mine = {f"session__{name}": value for name, value in owner.of_row.items()}
    rows = SessionItem.objects.select_related("session__exam", "version").exclude(session__mode__in=but)
    item = rows.filter(session__uuid=session_uuid, position=position, session__discarded_at=None, **mine).first()
    is_open = item is not None and not item.withheld and (item.session.finished_at or item.checked_at)
    return item if is_open else None
