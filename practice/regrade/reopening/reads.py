"""What staff see before they reopen a session, and why one can't be reopened."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass

from django.db.models import Count, Max, Q

from practice.regrade.reopening.models import Reopening
from practice.regrade.reopening.rules import MOST_DAYS, Times
from practice.sessions.errors import NotPossible
from practice.sessions.models import DRILLS, Ended, LateAnswer, Mode, PracticeSession


@dataclass(frozen=True)
class ReopeningPage:
    """A finished session, with what matters for reopening it.

    ``refusal`` says why it can't be reopened; None if it can.
    """

    session: PracticeSession
    times: Times
    answered: int
    last_answer_at: dt.datetime | None
    late: int
    refusal: NotPossible | None
    earlier: list[Reopening]

    @property
    def left(self) -> int:
        """The minutes to offer."""
        return self.times.left_at(self.last_answer_at)


def session_to_reopen(session_uuid: uuid.UUID) -> PracticeSession:
    """Raises PracticeSession.DoesNotExist, also for single answers that aren't in any list."""
    rows = PracticeSession.objects.select_related("learner__user", "exam", "blueprint")
    return rows.filter(mode__in=(Mode.MOCK, *DRILLS)).get(uuid=session_uuid)


def reopening_page(session: PracticeSession, now: dt.datetime) -> ReopeningPage:
    """The page for a session loaded with its learner and exam."""
    answers = session.items.aggregate(last=Max("answered_at"), count=Count("position", filter=~Q(selected=0)))
    return ReopeningPage(
        session=session,
        times=times_of(session),
        answered=answers["count"],
        last_answer_at=answers["last"],
        late=LateAnswer.objects.filter(session=session).count(),
        refusal=refusal_of(session, now),
        earlier=list(session.reopenings.select_related("made_by")),
    )


def times_of(session: PracticeSession) -> Times:
    """The session's times, from its deadline; an untimed session has none."""
    stood = dt.timedelta(seconds=session.stood_seconds)
    allowed = session.deadline - session.started_at - stood if session.deadline else dt.timedelta()
    return Times(session.started_at, allowed, stood)


def refusal_of(session: PracticeSession, now: dt.datetime) -> NotPossible | None:
    """Why a session stays closed; None if it can be reopened."""
    if session.finished_at is None or session.ended != Ended.TIME or session.deadline is None:
        return NotPossible("not-ended-by-time")
    if now - session.finished_at > dt.timedelta(days=MOST_DAYS):
        return NotPossible("ended-too-long-ago")
    learner = session.learner
    if learner.user_id is None and learner.guest_key is None:
        return NotPossible("learner-gone")
    modes = [Mode.MOCK] if session.mode == Mode.MOCK else DRILLS
    running = PracticeSession.objects.filter(
        learner=learner, exam=session.exam_id, mode__in=modes, finished_at=None, discarded_at=None
    )
    return NotPossible("another-running") if running.exists() else None
