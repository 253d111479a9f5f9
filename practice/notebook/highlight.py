"""Adding and removing highlights in stems and study modules."""

from __future__ import annotations

import datetime as dt
import uuid

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.models import Highlight
from practice.learners.reads.identity import Owner, owners_in_turn
from practice.notebook.keep import marked_item
from practice.notebook.rules import stands_in
from practice.sessions.errors import NotPossible
from practice.sessions.models import SessionItem
from questions.catalogue.models import StudyModule


def highlight_stem(owner: Owner, session_uuid: uuid.UUID, position: int, words: str, now: dt.datetime) -> SessionItem:
    """Highlight words of a marked question's stem, in the version that was answered. Raises NotYours, NotPossible."""
    item = marked_item(owner, session_uuid, position)
    if not stands_in(words, item.version.stem_html):
        raise NotPossible("not-in-text")
    with transaction.atomic():
        learner = lock_learner(owner, now)
        Highlight.objects.get_or_create(
            learner=learner, version_id=item.version_id, text=words, defaults={"made_at": now}
        )
    return item


def highlight_module(owner: Owner, module: StudyModule, words: str, now: dt.datetime) -> None:
    """Highlight words of a study module, in its current text. Raises NotPossible."""
    if not stands_in(words, *texts_of(module)):
        raise NotPossible("not-in-text")
    with transaction.atomic():
        learner = lock_learner(owner, now)
        # A highlight made again after the text has changed belongs to the changed text.
        Highlight.objects.update_or_create(
            learner=learner,
            module=module,
            text=words,
            defaults={"module_text": module.loaded_digest, "made_at": now},
        )


def texts_of(module: StudyModule) -> list[str]:
    """The HTML of a module in which words can be highlighted."""
    parts = [part for section in module.html.get("sections", []) for part in section["parts"]]
    boxes = [*parts, *module.html.get("cards", []), *module.html.get("closing", [])]
    return [box.get("html", "") for box in boxes]


def drop_highlight(owner: Owner, highlight_id: int) -> None:
    """Remove the owner's highlight; does nothing if it is gone already or belongs to somebody else."""
    for each in owners_in_turn(owner):
        Highlight.objects.filter(pk=highlight_id, **each.of_row).delete()
