"""Marking single answers at once: in a drill, and on a question page."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max

from courseiva.common.masks import mask_of, stored_order
from practice.learners.enrol import lock_learner
from practice.learners.models import Learner
from practice.learners.reads.identity import Owner
from practice.sessions.ending.draw import draw_for
from practice.sessions.ending.finish import close, lock_session
from practice.sessions.ending.met import first_met, stamp_exposure
from practice.sessions.errors import InOpenMock, NotOpen, NotPossible, OlderWriter
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.player.rules import ItemState
from practice.sessions.player.save import Saved, apply_states
from practice.sessions.reads.units import is_family_locked
from practice.sessions.scoring.reads import keys_in_force
from questions.versions.models.drafts import Question


def check(
    session_uuid: uuid.UUID, owner: Owner, state: ItemState, writer: int | None, now: dt.datetime, reveal: bool = False
) -> SessionItem:
    """Mark one answer of a drill with immediate feedback; if already checked, nothing changes.

    ``reveal`` shows the solution without an answer, and this is recorded. ``writer`` None is a page without JavaScript.
    The last check ends the drill. Raises NotYours, NotOpen, NotPossible, OlderWriter, and InOpenMock if a mock started
    meanwhile has a question of its family.
    """
    with transaction.atomic():
        session = lock_session(session_uuid, owner)
        items = session.items.select_related("version__question").filter(position=state.position)
        item = next(iter(items.order_by()), None)
        if not session.feedback_each or item is None:
            raise NotPossible("answers-at-end")
        # Before asking whether the session is open: the last check ends it, and pressing twice must still show the
        # verdict.
        if item.checked_at:
            return item
        if not session.is_open or session.expired(now):
            raise NotOpen("over", mode=session.get_mode_display())
        if writer is not None and writer != session.writer:
            raise OlderWriter(session.writer)
        if is_family_locked(item.version.question, learner=session.learner_id):
            raise InOpenMock
        result = Saved(session)
        apply_states(result, [state], session.writer if writer is None else writer, now, [item])
        if result.refused:
            raise NotPossible("not-checked", reason=result.refused[0].reason)
        if not reveal:
            demand(item.selected.bit_count(), item.version.choose, may_reveal=True)
        mark_now(session, item, now)
        if not session.items.filter(checked_at=None).exists():
            close(session, now)
    return item


def demand(chosen: int, asked: int, may_reveal: bool = False) -> None:
    """Nothing is marked until as many options are chosen as asked for; choosing more is up to the learner."""
    if chosen < asked:
        raise NotPossible("too-few-options", chosen=chosen, missing=asked - chosen, may_reveal=may_reveal)


def mark_now(session: PracticeSession, item: SessionItem, now: dt.datetime) -> None:
    item.checked_at = now
    item.revealed = not item.selected
    if item.selected:
        key = keys_in_force([item.version_id])[item.version_id]
        item.is_correct, item.granted = key.mark(item.selected), key.everyone
        stamp_exposure(item, first_met(session, {item.version_id: item.version.question_id}))
    item.save(update_fields=["checked_at", "revealed", "is_correct", "first_exposure", "granted"])
    draw_for(session, [item], now)


def open_hint(session_uuid: uuid.UUID, owner: Owner, position: int) -> SessionItem:
    """Record that a drill question's hint was opened. Raises NotYours, NotPossible."""
    with transaction.atomic():
        session = lock_session(session_uuid, owner)
        item = session.items.filter(position=position).first()
        if session.mode == Mode.MOCK or item is None:
            raise NotPossible("no-hints")
        if not item.checked_at and not item.hint_opened:
            item.hint_opened = True
            item.save(update_fields=["hint_opened"])
    return item


def answer_on_page(owner: Owner, question: Question, slots: Sequence[int], now: dt.datetime) -> SessionItem:
    """Record an answer given on a public question page, in a running session that isn't in any list.

    It marks the question as seen and is never a first exposure: the solution was a click away. Raises NotPossible if
    too few options, or one that doesn't exist, were chosen, and InOpenMock.
    """
    version = question.live_version
    if version is None:
        raise NotPossible("not-published")
    known = [option["slot"] for option in version.options]
    if not set(slots) <= set(known):
        raise NotPossible("no-such-option")
    demand(len(set(slots)), version.choose)
    key = keys_in_force([version.pk])[version.pk]
    with transaction.atomic():
        learner = lock_learner(owner, now)
        # Under the learner's lock, which starting a mock takes too, so no mock can draw the family in between.
        if is_family_locked(question, learner=learner):
            raise InOpenMock
        session = _page_session(learner, question.exam_id, now)
        last = session.items.aggregate(last=Max("position"))["last"] or 0
        mask = mask_of(slots)
        return SessionItem.objects.create(
            session=session,
            position=last + 1,
            version=version,
            option_order=stored_order(known),
            selected=mask,
            first_selected=mask,
            displayed_at=now,
            answered_at=now,
            checked_at=now,
            is_correct=key.mark(mask),
            granted=key.everyone,
            first_exposure=False,
        )


def _page_session(learner: Learner, exam_id: int, now: dt.datetime) -> PracticeSession:
    """The running session for a locked learner's page answers; adoption may leave two, and the first is used."""
    facts = {"learner": learner, "exam_id": exam_id, "mode": Mode.PAGE}
    found = PracticeSession.objects.filter(**facts).order_by("pk").first()
    return found or PracticeSession.objects.create(**facts, started_at=now)
