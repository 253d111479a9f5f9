"""After a session: its answers enter the statistics once, and everything said about the learner is recomputed.

What is said about a learner is derived from the whole history at each analysis, never updated step by step, so that it
is the same whatever happened in between: a session that ended late, an adoption, a regrade, a rebuild.
"""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q

from practice.learners.models import Learner
from practice.measurement.ability.reads import past_of
from practice.measurement.calibration.reads import Banks
from practice.measurement.statistics.count import count_session
from practice.readiness.derive.predict import store_forecasts, store_snapshots, store_standing
from practice.readiness.models import Standing
from practice.reviews.make_cards import refresh_cards
from practice.sessions.models import PracticeSession
from questions.catalogue.models import Exam

BEGINNING = dt.datetime.min.replace(tzinfo=dt.UTC)
# Less than a day, so that a learner reached late one night is due again the next.
FRESH_ENOUGH = dt.timedelta(hours=20)


def analyse(session_id: int, now: dt.datetime) -> bool:
    """Analyse a finished session; False if it isn't finished or was already analysed."""
    with transaction.atomic():
        # Locks the learner first, then the session, as all code that writes a learner's rows does.
        learner = Learner.objects.select_for_update(of=("self",)).filter(sessions=session_id).first()
        rows = PracticeSession.objects.select_for_update(of=("self",)).select_related("exam")
        session = rows.filter(pk=session_id, learner=learner, analysed_at=None).first()
        if learner is None or session is None or session.finished_at is None:
            return False
        count_session(session)
        # Before the refresh, which only covers sessions that were analysed.
        session.analysed_at = now
        session.save(update_fields=["analysed_at"])
        refresh(learner, session.exam, now, session.finished_at)
    return True


def analyse_waiting(now: dt.datetime, limit: int = 500) -> int:
    """Analyse finished sessions whose task was lost; returns how many."""
    waiting = PracticeSession.objects.filter(finished_at__isnull=False, analysed_at=None).order_by("finished_at")
    return sum(analyse(pk, now) for pk in list(waiting.values_list("pk", flat=True)[:limit]))


def refresh(learner: Learner, exam: Exam, now: dt.datetime, since: dt.datetime = BEGINNING) -> None:
    """Recompute what is said about a learner in an exam: predictions since a time, standing, cards.

    A learner without answers, or without a name, has no standing and no cards. Call inside a transaction that holds the
    learner's lock.
    """
    past, banks = past_of(learner.pk, exam.pk), Banks(exam)
    store_snapshots(learner, banks, past, since)
    store_forecasts(learner, banks, past, since)
    if past.answers and (learner.user_id or learner.guest_key):
        store_standing(learner, banks, past, now)
        refresh_cards(learner.pk, exam.pk)


def refresh_standings(now: dt.datetime, limit: int = 2000) -> int:
    """Refresh standings that are a day old, and those of learners with only page answers; returns how many."""
    pairs = _untold(limit // 2) if limit > 1 else []
    pairs += _told_longest_ago(now - FRESH_ENOUGH, limit - len(pairs))
    exams = Exam.objects.in_bulk({exam for _, exam in pairs})
    done = 0
    for learner_id, exam_id in pairs:
        with transaction.atomic():
            # One transaction for each, so that somebody who ends a session meanwhile waits for one learner's refresh,
            # not for the whole run.
            learner = Learner.objects.select_for_update().filter(pk=learner_id).first()
            if learner:  # otherwise it was deleted since the list was read, or moved into an account
                refresh(learner, exams[exam_id], now, since=now)
                done += 1
    return done


def _told_longest_ago(until: dt.datetime, limit: int) -> list[tuple[int, int]]:
    """Learner and exam of the oldest standings: those one night doesn't reach come first the next."""
    answered = PracticeSession.objects.filter(
        learner=OuterRef("learner"), exam=OuterRef("exam"), items__answered_at__isnull=False
    )
    named = Q(learner__user__isnull=False) | Q(learner__guest_key__isnull=False)
    rows = Standing.objects.filter(named, Exists(answered), as_of__lte=until).order_by("as_of", "pk")
    return list(rows.values_list("learner", "exam")[:limit])


def _untold(limit: int) -> list[tuple[int, int]]:
    """Learners and exams with answers but no standing, the newest first: for some there can't be one yet, and those
    mustn't hold up others."""
    known = Standing.objects.filter(learner=OuterRef("learner"), exam=OuterRef("exam"))
    named = Q(learner__user__isnull=False) | Q(learner__guest_key__isnull=False)
    rows = PracticeSession.objects.filter(named, items__answered_at__isnull=False).exclude(Exists(known))
    pairs = rows.order_by().values("learner", "exam").annotate(newest=Max("started_at"))
    return list(pairs.order_by("-newest", "learner", "exam").values_list("learner", "exam")[:limit])


def refresh_all(learner: Learner, now: dt.datetime) -> None:
    """The same for every exam this learner has practised. Call as ``refresh``."""
    for exam in Exam.objects.filter(pk__in=PracticeSession.objects.filter(learner=learner).values("exam")):
        refresh(learner, exam, now)
