"""A question's health for editors, and the curves of its options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from courseiva.common.masks import slots_of
from questions.versions.statistics.health.rules import (
    CurvePoint,
    HealthCounts,
    HealthFigures,
    Quarter,
    health_figures,
    option_curve,
)
from questions.versions.statistics.models import ItemHealth, VersionStatistics
from questions.versions.statistics.rules import LEAST_ANSWERS, ItemFigures

LETTERS = "ABCDEFGHIJKLMN"
APART = 7
"""Percent of the chart's height between two letters, so that each can be read."""


@dataclass(frozen=True)
class OptionCurve:
    """An option's share by ability; ``letter_y`` is its letter's position, in percent from the top."""

    letter: str
    text: str
    is_key: bool
    points: Sequence[CurvePoint]
    letter_y: float = 0

    @property
    def line(self) -> str:
        """The line through its points, for a 100 by 100 chart with the largest share at the top."""
        drawn = [(100 * point.rank, 100 - 100 * point.share) for point in self.points if point.share is not None]
        return " ".join(f"{x:g},{y:g}" for x, y in drawn)

    @property
    def end(self) -> CurvePoint | None:
        """The last drawn point."""
        return next((point for point in reversed(self.points) if point.share is not None), None)

    @property
    def end_x(self) -> float:
        """That point's position, in percent from the left."""
        return 100 * self.end.rank if self.end else 100


@dataclass(frozen=True)
class OptionCurves:
    """A version's options over the ``n`` answers with an ability; ``of_points``: how many at each point."""

    options: Sequence[OptionCurve]
    of_points: Sequence[CurvePoint]
    n: int

    @property
    def is_enough(self) -> bool:
        """Whether there are as many as the figures need."""
        return self.n >= LEAST_ANSWERS

    @property
    def drawn(self) -> list[OptionCurve]:
        """Options with a point."""
        return [option for option in self.options if option.end]


def health_of(row: ItemHealth, figures: ItemFigures) -> HealthFigures:
    """The figures from a stored row and from the counts by ability."""
    counts = HealthCounts(
        n=row.n,
        squares=row.squares,
        weight=row.weight,
        spread=row.spread,
        quarters=[Quarter(*each) for each in row.quarters],
        met_by=row.met_by,
        learners=row.learners,
        information=row.information,
        information_error=row.information_error,
    )
    return health_figures(figures, counts)


def curves_of(row: VersionStatistics) -> OptionCurves:
    """The curves for a row of ``measured_versions``; options nobody chose have one too."""
    version = row.version
    key = slots_of(version.solution.key_mask)
    stored = {option.slot: option.by_rest for option in version.option_statistics.all()}
    answers = [n for n, _ in row.by_rest]
    nobody = [0] * len(answers)
    curves = [
        OptionCurve(
            letter, option["text"], option["slot"] in key, option_curve(stored.get(option["slot"]) or nobody, answers)
        )
        for letter, option in zip(LETTERS, version.options, strict=False)
    ]
    return OptionCurves(_lettered(curves), option_curve(answers, answers), row.rest_n)


def _lettered(curves: Sequence[OptionCurve]) -> list[OptionCurve]:
    """Adds letter positions: each at the end of its line, pushed down if the one above is too close."""
    below: dict[str, float] = {}
    free = 0.0
    for curve in sorted(curves, key=lambda curve: -(curve.end.share or 0) if curve.end else 1):
        y = 100 - 100 * (curve.end.share or 0) if curve.end else 100
        below[curve.letter] = max(y, free)
        free = below[curve.letter] + APART
    over = max(free - APART - 100, 0)
    return [OptionCurve(each.letter, each.text, each.is_key, each.points, below[each.letter] - over) for each in curves]
