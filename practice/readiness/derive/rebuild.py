"""Deleting derived rows and rebuilding them from the answers."""

from __future__ import annotations

import datetime as dt

from django.db import connection, transaction

from practice.learners.models import Learner
from practice.measurement.health.measure import measure_all
from practice.measurement.statistics.count import rebuild_statistics
from practice.readiness.derive.analyse import refresh_all
from practice.readiness.derive.honest import measure_honesty
from practice.readiness.models import Forecast, ReadinessSnapshot, Standing
from practice.reviews.models import ReviewCard
from practice.sessions.models import PracticeSession
from questions.versions.statistics.models import VersionStatistics


def rebuild_analytics(now: dt.datetime) -> int:
    """Recompute item statistics, health, predictions and their record, standings and cards; returns the number of
    learners.

    Calibrations are kept: each is what was known at its time, and predictions are judged by that.
    """
    with transaction.atomic():
        _hold_statistics()
        # They are counted below with all the others, so their waiting tasks mustn't add them a second time.
        PracticeSession.objects.filter(finished_at__isnull=False, analysed_at=None).update(analysed_at=now)
        rebuild_statistics()
    learners = list(Learner.objects.order_by("pk").values_list("pk", flat=True))
    for pk in learners:
        with transaction.atomic():
            # One at a time, so that people can practise during a rebuild. Fetched again, because an adoption may have
            # taken the row away since the list was read.
            learner = Learner.objects.select_for_update().filter(pk=pk).first()
            if learner:
                _forget_derived(learner)
                refresh_all(learner, now)
    measure_honesty(now)
    measure_all()
    return len(learners)


def _forget_derived(learner: Learner) -> None:
    Forecast.objects.filter(session__learner=learner).delete()
    for model in (ReadinessSnapshot, Standing, ReviewCard):
        model.objects.filter(learner=learner).delete()


def _hold_statistics() -> None:
    """Keep analyses from counting meanwhile, by locking the table; on SQLite there is only one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {VersionStatistics._meta.db_table} IN EXCLUSIVE MODE")
