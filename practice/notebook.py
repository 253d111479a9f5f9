"""The learner's private note and bookmark: one of each per question."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from practice.errors import NotYours
from practice.identity import Owner
from practice.models import Bookmark, Mode, Note, SessionItem


def keep_note(owner: Owner, session_uuid: uuid.UUID, position: int, text: str, now: dt.datetime) -> None:
    """Keep the note on a judged question of the owner's sitting; an empty text deletes it. Raises NotYours."""
    item = judged_item(owner, session_uuid, position)
    key: dict[str, Any] = {"learner_id": item.session.learner_id, "question_id": item.version.question_id}
    if text:
        Note.objects.update_or_create(**key, defaults={"text": text, "changed_at": now})
    else:
        Note.objects.filter(**key).delete()


def set_bookmark(owner: Owner, session_uuid: uuid.UUID, position: int, on: bool, now: dt.datetime) -> None:
    """Bookmark a judged question of the owner's sitting, or take the bookmark away. Raises NotYours."""
    item = judged_item(owner, session_uuid, position)
    key: dict[str, Any] = {"learner_id": item.session.learner_id, "question_id": item.version.question_id}
    if on:
        Bookmark.objects.get_or_create(**key, defaults={"made_at": now})
    else:
        Bookmark.objects.filter(**key).delete()


def judged_item(owner: Owner, session_uuid: uuid.UUID, position: int) -> SessionItem:
    """The owner's item, where it may be shown with its solution. Raises NotYours."""
    mine = {f"session__{name}": value for name, value in owner.of_row.items()}
    rows = SessionItem.objects.select_related("session", "version").exclude(session__mode=Mode.PAGE)
    item = rows.filter(session__uuid=session_uuid, position=position, session__discarded_at=None, **mine).first()
    if item is None or item.withheld or not (item.session.finished_at or item.checked_at):
        raise NotYours
    return item
