"""Ending a session: one result, whoever asks first and however often; or none if it is discarded."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Sequence

from django.db import transaction

from courseiva.common.later import after_commit
from practice.learners.reads.identity import Owner, owners_in_turn
from practice.sessions.ending.draw import draw_for
from practice.sessions.ending.met import first_met, stamp_exposure
from practice.sessions.ending.outages.reads import is_away
from practice.sessions.ending.withhold import withhold
from practice.sessions.errors import NotOpen, NotYours
from practice.sessions.models import UNLISTED, Ended, Mode, PracticeSession, SessionItem
from practice.sessions.scoring.reads import keys_in_force
from practice.sessions.scoring.store import update_items

ENDED_FIELDS = ("is_correct", "first_exposure", "displayed_at", "withheld", "granted", "writer", "sequence")


def lock_session(session_uuid: uuid.UUID, owner: Owner) -> PracticeSession:
    """The owner's session, locked until the transaction ends. Raises NotYours.

    An adoption may move the session while this waits for its lock, so it is looked up a second time under the account.
    """
    # Locks only the session: the condition may join the learner, whose row must stay free.
    rows = PracticeSession.objects.select_for_update(of=("self",)).exclude(mode__in=UNLISTED).filter(uuid=session_uuid)
    for each in owners_in_turn(owner):
        # Unordered: there is at most one, and every save comes through here.
        for session in rows.filter(**each.of_row).order_by():
            return session
    raise NotYours


def finish(session_uuid: uuid.UUID, owner: Owner, now: dt.datetime) -> PracticeSession:
    """Submit, and score what the server has; if already finished, nothing changes.

    Raises NotYours, and NotOpen for a discarded session.
    """
    with transaction.atomic():
        session = lock_session(session_uuid, owner)
        if session.discarded_at:
            raise NotOpen("discarded")
        if session.is_open:
            close(session, now)
    return session


def close_if_expired(session: PracticeSession, now: dt.datetime) -> PracticeSession:
    """Close a session whose time is up; any other is returned unchanged."""
    if not session.is_open or not session.expired(now):
        return session
    with transaction.atomic():
        locked = PracticeSession.objects.select_for_update().get(pk=session.pk)
        # Checked again under the lock: a sweeper, a submit or a pause may have been faster.
        if locked.is_open and locked.expired(now):
            close(locked, now)
    return locked


def close_expired(now: dt.datetime, limit: int = 500) -> int:
    """Close every session whose time is up and whose owner didn't come back; returns how many.

    None while no web server is running: people who couldn't answer get that time back first.
    """
    if is_away(now):
        return 0
    overdue = PracticeSession.objects.filter(
        finished_at=None, discarded_at=None, paused_at=None, deadline__lt=now
    ).order_by("deadline")[:limit]
    return sum(not close_if_expired(session, now).is_open for session in overdue)


def close(session: PracticeSession, now: dt.datetime, ended: Ended = Ended.SUBMITTED) -> None:
    """Score a locked, unfinished session and record its end. Call inside the transaction that holds the lock.

    ``ended`` says why, if not because time ran out.
    """
    expired = session.expired(now)
    session.ended = Ended.TIME if expired else ended
    # Not the time of this call: the sweeper may run much later, and the result must be the same.
    session.finished_at = session.deadline if expired else max(now, session.started_at)
    items = list(session.items.order_by("position"))
    # While paused_at is still set, because the time at which the clock stopped decides what counts as displayed.
    withhold(session, items, session.paused_at or session.finished_at or now)
    session.paused_at = None
    _forget_saves(session, items)
    _mark(session, items)
    session.score, session.total = score_of(session, items)
    session.save(update_fields=["ended", "finished_at", "paused_at", "total", "score"])
    if session.ended == Ended.SUBMITTED:
        draw_for(session, [item for item in items if not item.checked_at], session.finished_at or now)
    after_commit("practice.analyse_session", session.pk)


def score_of(session: PracticeSession, items: Sequence[SessionItem]) -> tuple[int, int]:
    """Right answers, and the total they are out of: what was marked, so without questions left out of the score."""
    marked = [item for item in items if item.is_correct is not None]
    return sum(bool(item.is_correct) for item in marked), len(marked)


def _forget_saves(session: PracticeSession, items: list[SessionItem]) -> None:
    """Only a session that ran out of time can be reopened; no other compares an item's save with a later one.

    The highest sequence stays, because a form that arrives late is numbered after it.
    """
    if session.ended == Ended.TIME or not items:
        return
    highest = max(items, key=lambda item: item.sequence)
    for item in items:
        if item is not highest:
            item.writer = item.sequence = 0


def _mark(session: PracticeSession, items: list[SessionItem]) -> None:
    """Mark items not marked yet. Unanswered ones are wrong in a mock and ignored in a drill."""
    keys = keys_in_force([item.version_id for item in items])
    answered = min((item.answered_at for item in items if item.answered_at), default=None)
    met = first_met(session, {version: key.question for version, key in keys.items()}, answered)
    for item in items:
        if item.is_correct is None and (item.selected or session.mode == Mode.MOCK):
            key = keys[item.version_id]
            item.is_correct, item.granted = key.mark(item.selected), key.everyone
            _stamp(session, item, met)
        if not item.withheld:
            item.displayed_at = item.displayed_at or session.finished_at
    update_items(session, items, ENDED_FIELDS)


def _stamp(session: PracticeSession, item: SessionItem, met: dict[int, dt.datetime]) -> None:
    """An offline drill comes with its solutions, so it is no first exposure."""
    if session.mode == Mode.TAKEN:
        item.first_exposure = False
    else:
        stamp_exposure(item, met)


def discard(session_uuid: uuid.UUID, owner: Owner, now: dt.datetime) -> PracticeSession:
    """Discard an unfinished session: it counts nowhere, and what wasn't displayed is unseen again.

    A finished session stays. Raises NotYours.
    """
    with transaction.atomic():
        session = lock_session(session_uuid, owner)
        if session.is_open and not session.expired(now):
            session.discarded_at = now
            session.save(update_fields=["discarded_at"])
        # Its time was up before the click, so it has a result, and a result can't be discarded.
        elif session.is_open:
            close(session, now)
    return session
