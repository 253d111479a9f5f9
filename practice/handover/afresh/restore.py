"""Undoing a fresh start, and the end of that possibility."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from practice.handover.afresh.reads import undoable
from practice.handover.afresh.rules import UNDO_DAYS
from practice.handover.afresh.start_afresh import move
from practice.learners.enrol import lock_known
from practice.learners.models import FreshStart, Learner
from practice.learners.reads.identity import Owner
from practice.readiness.derive.analyse import refresh
from practice.sessions.models import Mode, PracticeSession
from questions.catalogue.models import Exam


def undo(owner: Owner, exam: Exam, now: dt.datetime) -> bool:
    """Bring the work archived by the newest fresh start back, alongside work done since; False if it's too late."""
    with transaction.atomic():
        learner = lock_known(owner)
        last = undoable(learner, exam, now) if learner else None
        if learner is None or last is None:
            return False
        # Analyses and regrades of the archive hold this lock.
        archive = Learner.objects.select_for_update().get(pk=last.archive_id)
        # Selected by their times: those from an earlier fresh start come back with the archive.
        PracticeSession.objects.filter(learner=learner, exam=exam, mode=Mode.MET, started_at=last.at).delete()
        move(archive, learner, exam)
        refresh(learner, exam, now)
        last.delete()
        _drop_empty(archive)
    return True


def let_go(now: dt.datetime) -> int:
    """Forget which archive was whose once it can't be undone; returns how many."""
    return FreshStart.objects.filter(at__lte=now - dt.timedelta(days=UNDO_DAYS)).delete()[0]


def _drop_empty(archive: Learner) -> None:
    if not PracticeSession.objects.filter(learner=archive).exists():
        archive.delete()
