"""Item statistics: counts over first exposures, added session by session, exactly once."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from django.db import transaction
from django.db.models import QuerySet

from courseiva.common.masks import slots_of
from practice.learners.reads import simulated
from practice.measurement.statistics.rules import FirstAnswer, VersionTally, add_session
from practice.sessions.models import PracticeSession, SessionItem
from questions.versions.statistics.models import SECONDS_BINS, OptionStatistics, VersionStatistics

# The figures by ability belong to the nightly run: by_ability.py.
VERSION_FIELDS = ("n", "right", "by_seconds")
# How many are read per query and held in memory: a rebuild reads every answer there is.
ROWS_AT_ONCE = 2000


def count_session(session: PracticeSession, sign: int = 1) -> None:
    """Add a finished session's first exposures to the counts; -1 removes them again.

    The caller holds the session's lock and makes sure it is counted once. The number of queries doesn't depend on the
    length of the session or of the history; rows are locked in a fixed order, so that two sessions never deadlock.
    """
    tallies: dict[int, VersionTally] = {}
    for answers in _by_session(first_exposures().filter(session=session)):
        add_session(tallies, answers, SECONDS_BINS, sign)
    if tallies:
        _add(tallies)


def rebuild_statistics() -> int:
    """Delete all counts and recount all analysed sessions; returns the number of versions counted.

    The newest calibration's figures by ability stay, as does the calibration.
    """
    tallies: dict[int, VersionTally] = {}
    with transaction.atomic():
        OptionStatistics.objects.update(n=0)
        blank = VersionTally(SECONDS_BINS)
        VersionStatistics.objects.update(**_facts(blank))
        for answers in _by_session(first_exposures().filter(session__analysed_at__isnull=False)):
            add_session(tallies, answers, SECONDS_BINS)
        _store(tallies)
    return len(tallies)


def first_exposures() -> QuerySet[SessionItem]:
    """The items that enter item statistics: answered for the first time, without the hint, in a finished session.

    None for which the learner had seen another question of the family: so the variants of a family are all measured on
    learners new to it, and their measurements can be added up. None of basic versions: the calibration reads these too.
    None made right for everybody by a regrade, and outside a demo none by simulated people.
    """
    firsts = SessionItem.objects.filter(simulated.counts("session__learner__user__email"))
    firsts = firsts.filter(first_exposure=True, variant_seen=False, granted=False, version__is_basic=False)
    return firsts.filter(is_correct__isnull=False, session__finished_at__isnull=False)


def _by_session(items: QuerySet[SessionItem]) -> Iterable[list[FirstAnswer]]:
    """Each session's answers, read in one pass with a bounded number of rows in memory."""
    columns = ("session_id", "version_id", "version__measured_as_id", "selected", "is_correct", "seconds")
    rows = items.order_by("session_id", "position").values_list(*columns)
    for _, group in groupby(rows.iterator(ROWS_AT_ONCE), key=itemgetter(0)):
        yield [
            FirstAnswer(measured or version, slots_of(selected), right, seconds)
            for _, version, measured, selected, right, seconds in group
        ]


def _add(tallies: dict[int, VersionTally]) -> None:
    """Add to the stored counts, locking each version's row."""
    blank = [VersionStatistics(version_id=pk, **_facts(VersionTally(SECONDS_BINS))) for pk in sorted(tallies)]
    # Created first, so that there is a row to lock even for a version nobody has answered.
    VersionStatistics.objects.bulk_create(blank, ignore_conflicts=True)
    rows = list(VersionStatistics.objects.select_for_update().filter(pk__in=tallies).order_by("pk"))
    for row in rows:
        tally = tallies[row.pk]
        tally.n, tally.right = tally.n + row.n, tally.right + row.right
        tally.by_seconds = [mine + stored for mine, stored in zip(tally.by_seconds, row.by_seconds, strict=True)]
    options = OptionStatistics.objects.filter(version_id__in=tallies).values_list("version_id", "slot", "n")
    for version, slot, n in options:
        tallies[version].options[slot] += n
    _store(tallies)


def _store(tallies: dict[int, VersionTally]) -> None:
    """Replace the stored counts by these, in two queries."""
    VersionStatistics.objects.bulk_create(
        [VersionStatistics(version_id=pk, **_facts(tally)) for pk, tally in sorted(tallies.items())],
        update_conflicts=True,
        unique_fields=["version"],
        update_fields=VERSION_FIELDS,
        batch_size=ROWS_AT_ONCE,
    )
    OptionStatistics.objects.bulk_create(
        [
            OptionStatistics(version_id=pk, slot=slot, n=n)
            for pk, tally in sorted(tallies.items())
            for slot, n in sorted(tally.options.items())
        ],
        update_conflicts=True,
        unique_fields=["version", "slot"],
        update_fields=["n"],
        batch_size=ROWS_AT_ONCE,
    )


def _facts(tally: VersionTally) -> dict[str, object]:
    return {name: getattr(tally, name) for name in VERSION_FIELDS}
