"""Live questions whose answers raise an alarm, to show where to look first."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models.functions import Coalesce

from questions.versions.models.drafts import Question
from questions.versions.statistics.health.reads import health_of
from questions.versions.statistics.models import ItemHealth
from questions.versions.statistics.reads.figures import figures_of, measured_versions, radar


@dataclass(frozen=True)
class Alarm:
    """A question, and the names of its flagged health figures."""

    question_id: int
    called: tuple[str, ...]


def miskeyed() -> list[int]:
    """The ids of possibly miskeyed questions, strongest evidence first."""
    return [line.version.question_id for line in radar().lines]


def health_alarms() -> list[Alarm]:
    """Those with most flags first, then with most answers; in three queries, however large the bank."""
    live = Question.objects.filter(live_version__isnull=False, retired_at=None)
    roots = live.values(root=Coalesce("live_version__measured_as_id", "live_version_id"))
    health = {row.pk: row for row in ItemHealth.objects.filter(version__in=roots)}
    found = []
    for row in measured_versions().filter(version__in=health, n__gt=0):
        called = tuple(health_of(health[row.pk], figures_of(row)).called)
        if called:
            found.append((row.n, Alarm(row.version.question_id, called)))
    found.sort(key=lambda each: (-len(each[1].called), -each[0], each[1].question_id))
    return [alarm for _, alarm in found]
