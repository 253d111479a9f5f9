"""Starting an offline drill."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.learners.enrol import lock_learner
from practice.learners.models import Learner
from practice.learners.reads.identity import Owner
from practice.sessions.ending.finish import close
from practice.sessions.errors import TooFewQuestions
from practice.sessions.models import Mode, PracticeSession
from practice.start.begin import store_session
from practice.start.reads.drills import pick_drill
from practice.start.reads.fitting import DrillChoice, fitting
from questions.catalogue.models import Exam

SIZE = 30
"""About an hour. All of it counts as seen from the start, since the solutions come along, so no more than one journey
needs."""
CHOICE = DrillChoice(size=SIZE, public_only=True)


def most_to_take(learner: Learner | None, exam: Exam) -> int:
    """How many questions an offline drill would have now: ``SIZE``, or fewer if the exam has fewer."""
    return fitting(learner, exam, CHOICE).order_by().values("unit").distinct()[:SIZE].count()


def take_along(owner: Owner, exam: Exam, seed: int, now: dt.datetime) -> PracticeSession:
    """Start a session of public questions, none in a family in the learner's unfinished mock. Raises TooFewQuestions.

    They count as seen from now on: their solutions leave the site with them. The previous offline drill ends, keeping
    its answers; a drill running on the site continues.
    """
    with transaction.atomic():
        learner = lock_learner(owner, now)
        before = taken(learner)
        picks = pick_drill(learner, exam, CHOICE, seed, now)
        if not picks:
            raise TooFewQuestions(0)
        # Ended only now: if nothing can be drawn, the existing drill continues.
        if before:
            close(before, now)
        session = PracticeSession(
            learner=learner, exam=exam, mode=Mode.TAKEN, label=f"{len(picks)} questions", started_at=now
        )
        store_session(session, picks, seed)
        session.items.update(displayed_at=now)
    return session


def taken(learner: Learner) -> PracticeSession | None:
    """The current offline drill, locked; one at a time across all exams."""
    rows = PracticeSession.objects.select_for_update().filter(learner=learner, mode=Mode.TAKEN)
    return rows.filter(finished_at=None, discarded_at=None).first()
