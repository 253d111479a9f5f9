"""A learner's counts, for tests that read them without a page or change rows directly."""

from __future__ import annotations

import datetime as dt

from django.core.cache import cache

from practice.models import Learner, Standing
from practice.notebook.reads.misses import MissTable, count_misses
from practice.readiness.reads.steps import Situation, situation
from practice.sessions.reads.tally.reads import rows_of
from practice.start.reads.bank import Coverage, bank_of, key_of
from practice.start.reads.reviews import DueForecast, DueToday
from questions.catalogue.reads import guide_of
from questions.models import Exam


def forget_tallies() -> None:
    """Discard the counts of rows that have changed."""
    Standing.objects.update(tally="", misses="")


def where(learner: Learner, exam: Exam, now: dt.datetime) -> Situation:
    """Return the learner's situation with the bank as it is now."""
    cache.delete(key_of(exam))
    return situation(guide_of(pk=exam.pk), learner, now)


def due_today(learner: Learner, exam: Exam, now: dt.datetime) -> DueToday:
    """Return the questions a review could draw."""
    return where(learner, exam, now).due


def due_forecast(learner: Learner, exam: Exam, now: dt.datetime) -> DueForecast:
    """Return the reviews due on the coming days."""
    return where(learner, exam, now).reviews.forecast()


def coverage(learner: Learner, exam: Exam, now: dt.datetime) -> dict[int, Coverage]:
    """Return the coverage by domain id."""
    return where(learner, exam, now).covered


def miss_table(learner: Learner, exam: Exam, now: dt.datetime) -> MissTable:
    """Return the misses by reason."""
    done = where(learner, exam, now).now
    counted = count_misses(rows_of(learner.pk, exam.pk))
    bank, shown = bank_of(exam), done.tally.shown
    return counted.table({r: len(bank.drillable(qs, shown, done.locked)) for r, qs in counted.questions.items()})
