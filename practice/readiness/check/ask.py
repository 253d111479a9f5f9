"""Starting a check, and taking its answers: each is final, and decides whether and with what the check continues."""

from __future__ import annotations

import datetime as dt
import random
import uuid

from django.db import transaction

from courseiva.common.masks import shuffled_order
from practice.learners.enrol import lock_learner
from practice.learners.reads.identity import Owner
from practice.readiness.check.reads.coming import coming
from practice.readiness.check.reads.own import Own, own_of
from practice.readiness.check.rules import MOST
from practice.sessions.ending.finish import close, lock_session
from practice.sessions.errors import InOpenMock, NotOpen, NotPossible, TooFewQuestions
from practice.sessions.models import Ended, Mode, PracticeSession, SessionItem
from practice.sessions.player.check import demand, mark_now
from practice.sessions.player.rules import ItemState
from practice.sessions.player.save import Saved, apply_states
from practice.sessions.reads.units import is_family_locked
from practice.start.begin import end_running_drill
from questions.catalogue.models import Exam

MOST_SECONDS = 600
"""More than this between two answers means the page was left alone; it mustn't count as work."""


def start_check(owner: Owner, exam: Exam, now: dt.datetime) -> PracticeSession:
    """Start a check with its first question, ending a running drill or review. Raises TooFewQuestions."""
    with transaction.atomic():
        learner = lock_learner(owner, now)
        # Before the first question is chosen: what the ending drill has displayed is no longer unseen.
        end_running_drill(learner, exam, now)
        blueprint = exam.blueprints.get(is_current=True)
        session = PracticeSession.objects.create(
            learner=learner, exam=exam, blueprint=blueprint, mode=Mode.CHECK, label=blueprint.name, started_at=now,
            total=MOST,
        )  # fmt: skip
        own = own_of(session)
        if own is None or not _ask(session, own):
            raise TooFewQuestions(0)
    return session


def answer_check(session_uuid: uuid.UUID, owner: Owner, state: ItemState, now: dt.datetime) -> PracticeSession:
    """Take the answer to a check's current question; then end the check or ask the next one.

    An answer to any other question changes nothing: it was sent twice, or from a page left open. Raises NotYours,
    NotOpen for a discarded session, NotPossible for an answer with too few options, and InOpenMock.
    """
    with transaction.atomic():
        session = lock_session(session_uuid, owner)
        if session.mode != Mode.CHECK or session.discarded_at:
            raise NotOpen("discarded" if session.discarded_at else "over")
        item = session.items.select_related("version__question").filter(checked_at=None).order_by("position").first()
        if not session.is_open or item is None or item.position != state.position:
            return session
        if is_family_locked(item.version.question, learner=session.learner_id):
            raise InOpenMock
        _keep(session, item, state, now)
        own = own_of(session)
        if own is None or own.is_known or item.position >= MOST or not _ask(session, own):
            close(session, now, Ended.KNOWN if own and own.is_known else Ended.SUBMITTED)
    return session


def _keep(session: PracticeSession, item: SessionItem, state: ItemState, now: dt.datetime) -> None:
    """Store and mark the answer, with the time since the previous one by the server's clock: the page has none."""
    result = Saved(session)
    before = session.items.exclude(pk=item.pk).order_by("-answered_at").values_list("answered_at", flat=True).first()
    apply_states(result, [state], session.writer, now)
    if result.refused:
        raise NotPossible("not-checked", reason=result.refused[0].reason)
    item.refresh_from_db()
    demand(item.selected.bit_count(), item.version.choose)
    item.seconds = min(int((now - (before or session.started_at)).total_seconds()), MOST_SECONDS)
    item.save(update_fields=["seconds"])
    mark_now(session, item, now)


def _ask(session: PracticeSession, own: Own) -> bool:
    """Add the next question; False if none is left. It counts as displayed once it is answered, or at the end."""
    pick = coming(session, own)
    if pick is None:
        return False
    position = session.items.count() + 1
    SessionItem.objects.create(
        session=session, position=position, version_id=pick.version_id, seen_before=pick.seen_before,
        variant_seen=pick.variant_seen,
        option_order=shuffled_order(pick.slots, random.Random(f"options {session.uuid} {position}")),
    )  # fmt: skip
    return True
