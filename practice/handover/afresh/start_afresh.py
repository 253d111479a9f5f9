"""A learner's work in an exam is archived, and what they have seen stays known."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from practice.handover.afresh.reads import items_of
from practice.handover.afresh.rules import Met, met
from practice.learners.enrol import lock_known
from practice.learners.models import FreshStart, Learner
from practice.learners.reads.identity import Owner
from practice.learners.trial.models import TrialMiss
from practice.readiness.derive.analyse import refresh
from practice.readiness.models import ReadinessSnapshot, Standing
from practice.reviews.models import CardTurn, ReviewCard
from practice.sessions.ending.finish import close
from practice.sessions.errors import AlreadyRunning
from practice.sessions.models import UNLISTED, Mode, PracticeSession, SessionItem
from questions.catalogue.models import Exam


def start_afresh(owner: Owner, exam: Exam, now: dt.datetime) -> FreshStart | None:
    """Archive the learner's sessions, answers and cards for the exam; None if there are none.

    Notes, stars and everything else they wrote stay, and so does what they have seen: a question is unseen only once.
    An unfinished drill or review ends first. Raises AlreadyRunning for a mock, which its learner must end.
    """
    with transaction.atomic():
        learner = lock_known(owner)
        if learner is None:
            return None
        if not PracticeSession.objects.filter(learner=learner, exam=exam).exclude(mode=Mode.MET).exists():
            return None
        _end_open(learner, exam, now)
        # After open sessions have ended, so that their questions are included, and before the move, which takes the
        # items away.
        seen = met(items_of(learner, exam))
        archive = Learner.objects.create(created_at=learner.created_at)
        move(learner, archive, exam)
        _keep_seen(learner, exam, seen, now)
        for each in (archive, learner):
            refresh(each, exam, now)
        return FreshStart.objects.create(learner=learner, exam=exam, archive=archive, at=now)


def move(source: Learner, target: Learner, exam: Exam) -> None:
    """Move an exam's sessions and turned cards; what was derived for the source is deleted.

    Call inside a transaction that holds the lock of whichever of the two has a name, and refresh both afterwards.
    """
    PracticeSession.objects.filter(learner=source, exam=exam).update(learner=target)
    CardTurn.objects.filter(learner=source, exam=exam).update(learner=target)
    drawn = TrialMiss.objects.filter(learner=target).values("family")
    TrialMiss.objects.filter(learner=source, exam=exam).exclude(family__in=drawn).update(learner=target)
    for model in (ReadinessSnapshot, Standing, ReviewCard):
        model.objects.filter(learner=source, exam=exam).delete()


def _end_open(learner: Learner, exam: Exam, now: dt.datetime) -> None:
    """Close unfinished sessions; a mock only if its time is up."""
    rows = PracticeSession.objects.select_for_update().filter(learner=learner, exam=exam)
    running = list(rows.filter(finished_at=None, discarded_at=None).exclude(mode__in=UNLISTED))
    for session in running:
        if session.mode == Mode.MOCK and not session.expired(now):
            raise AlreadyRunning(session)
    for session in running:
        close(session, now)


def _keep_seen(learner: Learner, exam: Exam, seen: Sequence[Met], now: dt.datetime) -> None:
    """Keep them as items without answers, so that every read that asks what was seen finds them.

    What only a discarded session displayed has shown no solution, and goes into a separate session that is discarded
    too.
    """
    for is_shown in (True, False):
        among = [each for each in seen if each.is_shown == is_shown]
        if not among:
            continue
        session = PracticeSession.objects.create(
            learner=learner, exam=exam, mode=Mode.MET, started_at=now, total=0,
            finished_at=now if is_shown else None, discarded_at=None if is_shown else now, analysed_at=now,
        )  # fmt: skip
        SessionItem.objects.bulk_create(
            SessionItem(
                session=session, position=position, version_id=each.version, option_order=each.order,
                displayed_at=each.displayed_at, checked_at=each.solved_at if is_shown else None, seen_before=True,
            )
            for position, each in enumerate(among, start=1)
        )  # fmt: skip
