"""Item statistics: counts over first exposures, added session by session, exactly once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from courseiva.common.masks import slots_of
from practice.measurement.statistics.rules import FirstAnswer, OptionTally, VersionTally, add_session
from practice.sessions.models import PracticeSession, SessionItem
from questions.versions.statistics.models import REST_BINS, SECONDS_BINS, OptionStatistics, VersionStatistics

VERSION_FIELDS = (
    "n", "right", "rest_n", "rest_sum", "rest_squares", "rest_right_n", "rest_right_sum", "by_rest", "by_seconds",
)  # fmt: skip
OPTION_FIELDS = ("n", "rest_n", "rest_sum", "by_rest")
# In memory, and in a statement: a rebuild reads every answer there is.
ROWS_AT_ONCE = 2000


def count_session(session: PracticeSession, sign: int = 1) -> None:
    """Add a finished session's first exposures to the counts; -1 takes them back.

    The caller holds the session's lock and makes sure it is counted once. Statements do not depend on the length
    of the session or of the history; rows are locked in one order, so that two sessions never wait for each other.
    """
    tallies: dict[int, VersionTally] = {}
    for answers in _by_session(first_exposures().filter(session=session)):
        add_session(tallies, answers, REST_BINS, SECONDS_BINS, sign)
    if tallies:
        _add(tallies)


def rebuild_statistics() -> int:
    """Throw every count away and count all analysed sessions anew; the number of versions counted."""
    tallies: dict[int, VersionTally] = {}
    with transaction.atomic():
        OptionStatistics.objects.all().delete()
        VersionStatistics.objects.all().delete()
        for answers in _by_session(first_exposures().filter(session__analysed_at__isnull=False)):
            add_session(tallies, answers, REST_BINS, SECONDS_BINS)
        _store(tallies)
    return len(tallies)


def first_exposures() -> QuerySet[SessionItem]:
    """The items that enter item statistics: answered for the first time, without the hint, in a finished session.

    None of whose family the learner had seen another question: so the variants of a family are each measured on
    learners new to it, and what they measure can be added up.
    """
    firsts = SessionItem.objects.filter(first_exposure=True, variant_seen=False)
    return firsts.filter(is_correct__isnull=False, session__finished_at__isnull=False)


def _by_session(items: QuerySet[SessionItem]) -> Iterable[list[FirstAnswer]]:
    """The answers of each session, read in one pass with a bounded number of rows in memory."""
    columns = ("session_id", "version_id", "version__measured_as_id", "selected", "is_correct", "seconds")
    rows = items.order_by("session_id", "position").values_list(*columns)
    for _, group in groupby(rows.iterator(ROWS_AT_ONCE), key=itemgetter(0)):
        yield [
            FirstAnswer(measured or version, slots_of(selected), right, seconds)
            for _, version, measured, selected, right, seconds in group
        ]


def _add(tallies: dict[int, VersionTally]) -> None:
    """Add to the stored counts, under a lock on each version's row."""
    blank = [
        VersionStatistics(version_id=pk, **_facts(VersionTally(REST_BINS, SECONDS_BINS))) for pk in sorted(tallies)
    ]
    # Made first, so that there is a row to lock even for a version nobody had answered.
    VersionStatistics.objects.bulk_create(blank, ignore_conflicts=True)
    rows = VersionStatistics.objects.select_for_update().filter(pk__in=tallies).order_by("pk")
    options: dict[int, dict[int, OptionStatistics]] = {pk: {} for pk in tallies}
    stored = list(rows)
    for row in OptionStatistics.objects.filter(version_id__in=tallies):
        options[row.version_id][row.slot] = row
    _store({row.pk: _sum(tallies[row.pk], row, options[row.pk]) for row in stored})


def _sum(tally: VersionTally, row: VersionStatistics, options: dict[int, OptionStatistics]) -> VersionTally:
    for name in VERSION_FIELDS:
        setattr(tally, name, _plus(getattr(tally, name), getattr(row, name)))
    for slot, option in options.items():
        mine = tally.options.setdefault(slot, OptionTally(REST_BINS))
        for name in OPTION_FIELDS:
            setattr(mine, name, _plus(getattr(mine, name), getattr(option, name)))
    return tally


def _plus(mine: Any, stored: Any) -> Any:
    """The sum of two numbers, or of two lists of them entry by entry."""
    return mine + stored if isinstance(mine, int) else [_plus(a, b) for a, b in zip(mine, stored, strict=True)]


def _store(tallies: dict[int, VersionTally]) -> None:
    """Write these counts in place of what is stored, in two statements."""
    VersionStatistics.objects.bulk_create(
        [VersionStatistics(version_id=pk, **_facts(tally)) for pk, tally in sorted(tallies.items())],
        update_conflicts=True,
        unique_fields=["version"],
        update_fields=VERSION_FIELDS,
        batch_size=ROWS_AT_ONCE,
    )
    OptionStatistics.objects.bulk_create(
        [
            OptionStatistics(version_id=pk, slot=slot, **{name: getattr(option, name) for name in OPTION_FIELDS})
            for pk, tally in sorted(tallies.items())
            for slot, option in sorted(tally.options.items())
        ],
        update_conflicts=True,
        unique_fields=["version", "slot"],
        update_fields=OPTION_FIELDS,
        batch_size=ROWS_AT_ONCE,
    )


def _facts(tally: VersionTally) -> dict[str, object]:
    return {name: getattr(tally, name) for name in VERSION_FIELDS}
