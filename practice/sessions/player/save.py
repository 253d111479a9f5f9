"""Saving answers: acknowledged only once committed, and only from the page that has claimed the session."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import transaction

from courseiva.common.masks import mask_from_places
from practice.learners.reads.identity import Owner
from practice.sessions.ending.finish import close, lock_session
from practice.sessions.errors import NotOpen, NotPossible, OlderWriter
from practice.sessions.models import LateAnswer, PracticeSession, SessionItem
from practice.sessions.player.rules import ALREADY_CHECKED, NO_SUCH_QUESTION, Batch, ItemState, Refusal
from practice.sessions.scoring.store import update_items

ANSWER_FIELDS = (
    "selected",
    "struck",
    "first_selected",
    "changes",
    "flagged",
    "confidence",
    "seconds",
    "writer",
    "sequence",
    "displayed_at",
    "answered_at",
)


@dataclass
class Saved:
    """The outcome of a batch, item by item."""

    session: PracticeSession
    saved: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


def claim(session_uuid: uuid.UUID, owner: Owner, now: dt.datetime) -> PracticeSession:
    """Make the requesting page the session's writer; the returned ``writer`` is its number.

    Raises NotYours, and NotOpen if the session is over (closing it first if its time is up).
    """
    with transaction.atomic():
        session = _lock_and_expire(session_uuid, owner, now)
        if session.is_open:
            session.writer += 1
            session.save(update_fields=["writer"])
    if not session.is_open:
        # Outside of the transaction: raised inside, it would roll back the end of a session whose time had run out.
        raise NotOpen("over")
    return session


def save(session_uuid: uuid.UUID, owner: Owner, batch: Batch, now: dt.datetime) -> Saved:
    """Store a batch of item states; safe to repeat and to reorder.

    After the end, every answer that differs is kept as a LateAnswer. Raises NotYours, NotOpen (discarded) and
    OlderWriter; single items that don't fit are refused on their own.
    """
    with transaction.atomic():
        session = _lock_and_expire(session_uuid, owner, now)
        result = Saved(session, refused=list(batch.refused))
        # Before checking the writer: answers after the end are kept, whichever page sends them.
        if session.finished_at:
            _keep_late(result, batch, now)
            return result
        if batch.writer != session.writer:
            raise OlderWriter(session.writer)
        # Saving counts as work, so no answer is accepted while the clock is stopped.
        resume_clock(session, now)
        apply_states(result, batch.items, batch.writer, now)
    return result


def save_page(
    session_uuid: uuid.UUID, owner: Owner, seen_writer: int, states: Iterable[ItemState], now: dt.datetime, take: bool
) -> Saved:
    """Save a page without JavaScript: it claims the session by saving, if nobody has written since it was rendered.

    ``states`` are what this page changed. ``take`` takes over from a newer writer. Raises like ``save``.
    """
    with transaction.atomic():
        session = _lock_and_expire(session_uuid, owner, now)
        result = Saved(session)
        states = tuple(states)
        if session.finished_at:
            _keep_late(result, Batch(seen_writer, states), now)
            return result
        if seen_writer != session.writer and not take:
            raise OlderWriter(session.writer)
        # Saving is claiming: a page rendered before this one is an older writer from now on.
        session.writer += 1
        session.save(update_fields=["writer"])
        resume_clock(session, now)
        apply_states(result, states, session.writer, now)
    return result


def pause(session_uuid: uuid.UUID, owner: Owner, now: dt.datetime) -> PracticeSession:
    """Stop the clock of a pausable session. Raises NotYours, NotOpen, NotPossible under exam conditions."""
    with transaction.atomic():
        session = _lock_and_expire(session_uuid, owner, now)
        if session.is_open and not session.pausable:
            raise NotPossible("exam-conditions")
        if session.is_open and session.paused_at is None:
            session.paused_at = now
            session.pauses += 1
            session.save(update_fields=["paused_at", "pauses"])
    return session


def resume_clock(session: PracticeSession, now: dt.datetime) -> None:
    """Restart a paused clock, moving the deadline by the length of the pause. Needs the row's lock."""
    if session.paused_at is None:
        return
    length = max(now - session.paused_at, dt.timedelta())  # setting the clock back meanwhile costs no time
    if session.deadline:
        session.deadline += length
    session.paused_seconds += int(length.total_seconds())
    session.paused_at = None
    session.save(update_fields=["deadline", "paused_seconds", "paused_at"])


def resume(session_uuid: uuid.UUID, owner: Owner, now: dt.datetime) -> PracticeSession:
    """Continue after a pause. Raises NotYours."""
    with transaction.atomic():
        session = _lock_and_expire(session_uuid, owner, now)
        if session.is_open:
            resume_clock(session, now)
    return session


def apply_states(
    result: Saved, states: Iterable[ItemState], writer: int, now: dt.datetime, held: Iterable[SessionItem] | None = None
) -> None:
    """Apply newer states to their items; needs the session's lock. ``held`` are these items, if loaded."""
    states = list(states)
    if held is None:
        held = result.session.items.filter(position__in=[s.position for s in states]).order_by()
    items = {item.position: item for item in held}
    changed = []
    for state in states:
        item = items.get(state.position)
        reason = _why_not(item, state)
        if item is None or reason:
            result.refused.append(Refusal(state.position, reason))
            continue
        # Strictly newer: a resent batch is acknowledged again, and changes nothing.
        if (item.writer, item.sequence) < (writer, state.sequence):
            write_state(item, state, writer, now)
            changed.append(item)
        result.saved.append(state.position)
    if changed:
        update_items(result.session, changed, ANSWER_FIELDS)


def _why_not(item: SessionItem | None, state: ItemState) -> str:
    unreadable = _why_unreadable(item, state)
    if unreadable or item is None:
        return unreadable
    if item.checked_at and mask_from_places(state.selected, item.option_order) != item.selected:
        return ALREADY_CHECKED
    return ""


def _why_unreadable(item: SessionItem | None, state: ItemState) -> str:
    if item is None:
        return NO_SUCH_QUESTION
    try:
        for places in (state.selected, state.struck):
            mask_from_places(places, item.option_order)
    except ValueError as error:
        return str(error)
    return ""


def write_state(item: SessionItem, state: ItemState, writer: int, now: dt.datetime) -> None:
    """Write a state to an item: the answer as given, and what the page reports about it."""
    selected = mask_from_places(state.selected, item.option_order)
    if selected != item.selected:
        if item.first_selected:
            item.changes += 1
        item.first_selected = item.first_selected or selected
        item.answered_at = now if selected else None
        item.selected = selected
    item.struck = mask_from_places(state.struck, item.option_order)
    item.flagged = state.flagged
    item.confidence = state.confidence
    # The time never decreases, whichever page reports it.
    item.seconds = max(item.seconds, state.seconds)
    item.writer, item.sequence = writer, state.sequence
    if state.displayed and item.displayed_at is None:
        item.displayed_at = now


def _lock_and_expire(session_uuid: uuid.UUID, owner: Owner, now: dt.datetime) -> PracticeSession:
    session = lock_session(session_uuid, owner)
    if session.discarded_at:
        raise NotOpen("discarded")
    # The server's clock decides, under the lock: no save slips in between expiry and end.
    if session.is_open and session.expired(now):
        close(session, now)
    return session


def _keep_late(result: Saved, batch: Batch, now: dt.datetime) -> None:
    session = result.session
    items = {i.position: i for i in session.items.filter(position__in=[s.position for s in batch.items])}
    rows = []
    for state in batch.items:
        item = items.get(state.position)
        reason = _why_unreadable(item, state)
        if item is None or reason:
            result.refused.append(Refusal(state.position, reason))
            continue
        selected = mask_from_places(state.selected, item.option_order)
        if selected == item.selected:
            result.saved.append(state.position)
            continue
        result.late.append(state.position)
        rows.append(
            LateAnswer(
                session=session,
                position=state.position,
                selected=selected,
                writer=batch.writer,
                sequence=state.sequence,
                received_at=now,
            )
        )
    # A resent batch would add the same rows again; the constraint skips them.
    LateAnswer.objects.bulk_create(rows, ignore_conflicts=True)
