"""How others answered a marked question: the options' shares, and the median time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from courseiva.common.quick.statements import composed_once
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import Breakdown
from questions.versions.statistics.models import SECONDS_BINS, OptionStatistics
from questions.versions.statistics.rules import LEAST_TOLD, median_seconds


@dataclass(frozen=True)
class ShareLine:
    """An option at its place on the learner's page, and the percentage who chose it."""

    letter: str
    percent: int
    is_right: bool
    is_chosen: bool


@dataclass(frozen=True)
class Beside:
    """An answer compared with the ``n`` first exposures of its version. No ``lines`` below ``LEAST_TOLD`` of them.

    ``median`` is None if fewer were timed or it is past the last bin; ``seconds`` are the learner's own, 0 if no page
    measured them.
    """

    n: int
    seconds: int
    lines: list[ShareLine]
    median: int | None
    least: int = LEAST_TOLD


def beside_others(marked: Mapping[int, Breakdown]) -> dict[int, Beside]:
    """Each breakdown compared with others' answers: one query for all of them, plus one if there are enough."""
    versions = {breakdown.version_id for breakdown in marked.values()}
    counts = {pk: facts for pk, *facts in _measured(versions)}
    chosen: dict[int, dict[int, int]] = defaultdict(dict)
    roots = [root for root, answers, _ in counts.values() if (answers or 0) >= LEAST_TOLD]
    for root, slot, n in _chosen(roots):
        chosen[root][slot] = n
    found = {}
    for key, breakdown in marked.items():
        root, answers, times = counts[breakdown.version_id]
        found[key] = _beside(breakdown, answers or 0, chosen[root], times or [])
    return found


@composed_once
def _measured(versions: Collection[int]) -> QuerySet[QuestionVersion, Any]:
    rows = QuestionVersion.objects.filter(pk__in=versions).annotate(
        root=Coalesce("measured_as_id", F("pk")),
        answers=Coalesce("measured_as__statistics__n", "statistics__n"),
        times=Coalesce("measured_as__statistics__by_seconds", "statistics__by_seconds"),
    )
    return rows.order_by().values_list("pk", "root", "answers", "times")


@composed_once
def _chosen(roots: Collection[int]) -> QuerySet[OptionStatistics, tuple[int, int, int]]:
    return OptionStatistics.objects.filter(version__in=roots).order_by().values_list("version_id", "slot", "n")


def _beside(breakdown: Breakdown, n: int, chosen: Mapping[int, int], times: list[int]) -> Beside:
    if n < LEAST_TOLD:
        return Beside(n, breakdown.seconds, [], None)
    lines = [
        ShareLine(each.letter, round(100 * chosen.get(each.slot, 0) / n), each.is_right, each.is_chosen)
        for each in breakdown.options
    ]
    median = median_seconds(times, SECONDS_BINS) if sum(times) >= LEAST_TOLD else None
    is_told = median is not None and median <= SECONDS_BINS[-1]
    return Beside(n, breakdown.seconds, lines, round(median) if is_told and median else None)
