"""Reopening a session that a wrong clock closed: everything that followed from its end is undone."""

from __future__ import annotations

import datetime as dt
import logging
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from courseiva.common.quick.columns import whole_second
from practice.learners.models import Learner
from practice.measurement.statistics.count import count_session
from practice.readiness.derive.analyse import refresh
from practice.readiness.models import Forecast, ReadinessSnapshot, Standing
from practice.regrade.reopening.models import Reopening
from practice.regrade.reopening.reads import refusal_of, times_of
from practice.reviews.models import ReviewCard
from practice.sessions.errors import NotPossible
from practice.sessions.models import LateAnswer, PracticeSession, SessionItem
from practice.sessions.scoring.models import RegradeNotice
from practice.sessions.scoring.store import update_items

logger = logging.getLogger("courseiva.sessions")
FIELDS = (
    "finished_at", "ended", "score", "total", "analysed_at", "deadline", "paused_at", "reopened_at", "closed_seconds",
)  # fmt: skip
ITEM_FIELDS = (
    "is_correct", "first_exposure", "displayed_at", "withheld", "granted", "miss_class", "selected", "first_selected",
    "changes", "answered_at",
)  # fmt: skip


@dataclass(frozen=True)
class Wish:
    """Staff's request: how many minutes the learner gets on returning, and why."""

    minutes: int
    reason: str


def reopen(session_id: int, wish: Wish, by: AbstractBaseUser, now: dt.datetime) -> Reopening:
    """Reopen a session that ended when its time ran out, with its clock stopped until its learner resumes. Raises
    NotPossible.

    Its result, its answers' part in the statistics and everything said about the learner because of it are undone.
    Answers that arrived after the wrong end are accepted.
    """
    with transaction.atomic():
        # Locks the learner first, then the session, as all code that writes a learner's rows does.
        learner = Learner.objects.select_for_update(of=("self",)).get(sessions=session_id)
        rows = PracticeSession.objects.select_for_update(of=("self",)).select_related("exam", "learner")
        session = rows.get(pk=session_id)
        refusal = refusal_of(session, now)
        if refusal or session.finished_at is None:
            raise refusal or NotPossible("not-ended-by-time")
        if not 1 <= wish.minutes <= times_of(session).most:
            raise NotPossible("too-many-minutes")
        made = Reopening.objects.create(
            session=session, minutes=wish.minutes, reason=wish.reason.strip(), made_by_id=by.pk, made_at=now,
            was_finished_at=session.finished_at, was_score=session.score, was_total=session.total,
        )  # fmt: skip
        # Removed while the marks are still there: the counts must lose exactly what they gained.
        if session.analysed_at:
            count_session(session, sign=-1)
        _unmark(session, session.finished_at, now)
        _open(session, wish.minutes, now)
        _unsay(learner, session, made.was_finished_at, now)
    logger.warning("session %s was reopened for %s minutes by user %s", session.uuid, wish.minutes, by.pk)
    return made


def _unmark(session: PracticeSession, ended_at: dt.datetime, now: dt.datetime) -> None:
    """Remove what the end stored on the items; what was checked before stays checked."""
    items = [item for item in session.items.order_by("position") if item.checked_at is None]
    late = {answer.position: answer.selected for answer in LateAnswer.objects.filter(session=session)}
    for item in items:
        item.is_correct = item.first_exposure = None
        item.withheld, item.granted, item.miss_class = False, False, ""
        # What was displayed when the session ended: only the result has shown these solutions.
        if item.displayed_at == whole_second(ended_at):
            item.displayed_at = None
        if item.position in late:
            _take_in(item, late[item.position], now)
    update_items(session, items, ITEM_FIELDS)
    LateAnswer.objects.filter(session=session).delete()
    RegradeNotice.objects.filter(session=session).delete()


def _take_in(item: SessionItem, selected: int, now: dt.datetime) -> None:
    """Store a late answer as a save would have, dated now: the solutions could be read by then, so it isn't a first
    exposure."""
    item.changes += bool(item.first_selected)
    item.first_selected = item.first_selected or selected
    item.selected, item.answered_at = selected, now if selected else None


def _open(session: PracticeSession, minutes: int, now: dt.datetime) -> None:
    left = dt.timedelta(minutes=minutes)
    closed = times_of(session).closed_by_mistake(left, now)
    session.finished_at = session.score = session.analysed_at = None
    session.ended, session.total = "", session.items.count()
    session.closed_seconds += int(closed.total_seconds())
    session.deadline = now + left
    # Paused, even under exam conditions: it mustn't run out before its learner knows.
    session.paused_at = session.reopened_at = now
    session.save(update_fields=FIELDS)


def _unsay(learner: Learner, session: PracticeSession, ended_at: dt.datetime, now: dt.datetime) -> None:
    """Delete what was said because of its result, and recompute what was said since without it."""
    Forecast.objects.filter(session=session).delete()
    ReadinessSnapshot.objects.filter(session=session).delete()
    # The refresh writes these but doesn't delete them; a learner with no other answers in this exam should have
    # neither.
    Standing.objects.filter(learner=learner, exam=session.exam).delete()
    ReviewCard.objects.filter(learner=learner, exam=session.exam).delete()
    refresh(learner, session.exam, now, ended_at)
