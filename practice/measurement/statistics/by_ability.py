"""Item statistics by ability: each calibration's results replace those of the one before."""

from __future__ import annotations

from collections.abc import Sequence

from practice.measurement.statistics.count import ROWS_AT_ONCE
from practice.measurement.statistics.rules import RankedAnswers, RestCounts, rest_counts
from questions.catalogue.models import Exam
from questions.versions.statistics.models import REST_BINS, SECONDS_BINS, OptionStatistics, VersionStatistics

VERSION_FIELDS = ("rest_n", "rest_sum", "rest_squares", "rest_right_n", "rest_right_sum", "by_rest")
OPTION_FIELDS = ("rest_n", "rest_sum", "by_rest")
NO_TIMES = [0] * (len(SECONDS_BINS) + 1)


def store_by_ability(exam: Exam, versions: Sequence[int], answers: RankedAnswers) -> None:
    """Store what the answers say about an exam's versions; ``versions`` names one per item.

    Versions without such an answer lose their figures. Call inside a transaction. Counts of answers aren't touched:
    they are added to while this runs (count.py), in other columns of the same rows.
    """
    counts = dict(zip(versions, rest_counts(answers, REST_BINS), strict=True))
    mine = {"version__question__exam": exam}
    # In key order, as count.py locks them, so that this run and a session's end never deadlock.
    list(VersionStatistics.objects.select_for_update(of=("self",)).filter(**mine).order_by("pk").values_list("pk"))
    OptionStatistics.objects.filter(**mine).update(rest_n=0, rest_sum=0, by_rest=[0] * REST_BINS)
    nothing = dict.fromkeys(VERSION_FIELDS, 0) | {"by_rest": [[0, 0] for _ in range(REST_BINS)]}
    VersionStatistics.objects.filter(**mine).exclude(pk__in=counts).update(**nothing)
    VersionStatistics.objects.bulk_create(
        [VersionStatistics(version_id=pk, by_seconds=NO_TIMES, **_by_ability(found)) for pk, found in counts.items()],
        update_conflicts=True,
        unique_fields=["version"],
        update_fields=VERSION_FIELDS,
        batch_size=ROWS_AT_ONCE,
    )
    OptionStatistics.objects.bulk_create(
        [
            OptionStatistics(version_id=pk, slot=slot, **option)
            for pk, found in counts.items()
            for slot, option in found.options.items()
        ],
        update_conflicts=True,
        unique_fields=["version", "slot"],
        update_fields=OPTION_FIELDS,
        batch_size=ROWS_AT_ONCE,
    )


def _by_ability(found: RestCounts) -> dict[str, object]:
    return {name: getattr(found, name) for name in VERSION_FIELDS}
