"""What the stored sums of a question's health say; pure.

With x an answer (1 right, 0 wrong), E its chance by a curve and the learner's other answers, W = E (1 - E).

**Fit.** Infit = sum (x - E)^2 / sum W, the information-weighted mean square, by the curve the question would have if
all had one slope: 1 where its answers go with ability as those of the bank do, above where the able fail and the weak
succeed more often, below where less often. Its error is sqrt(sum (W - 4 W W)) / sum W (Wright & Masters 1982, Rating
Scale Analysis, chapter 5, with the binary C = W - 3 W W). It is flagged only above 1.
S-X2 (Orlando & Thissen 2000) needs learners who all answered the same questions; here hardly two did.
**Drift.** Over the quarters that count, with s_q the surplus of right answers and v_q the sum of W: a quarter is off by
d_q = s_q - v_q (sum s / sum v), of variance v_q (1 - v_q / sum v); z_q is d_q divided by its standard deviation.
**Flagged** only where chance is a poor explanation. How often chance flags a figure all the same is simulated in
tests/bench/health.py, which checks the bounds below (table in docs/benchmarks.md).
**Not defined** is None.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from questions.versions.statistics.rules import LEAST_ANSWERS, Z_ONE_SIDED_95, Flag, ItemFigures, ratio

LEAST_IN_QUARTER = 20
"""A quarter with fewer first answers says nothing about drift."""
DOUBT = 0.01
"""The maximum rate at which fit and drift each flag a sound question."""
LEAST_INFORMATION = 0.05
"""A third of the information from a question of slope 1 with four options on a learner exactly at its difficulty."""
CURVE_POINTS = 5
"""Five can be told apart in a small picture, and each holds a fifth of the answers: ten of fifty."""
LEAST_AT_POINT = 5
"""A share of fewer answers isn't drawn."""
AT_MOST = {"discrimination": 0.05, "fit": 0.02, "drift": 0.02, "information": 0.02}
"""The maximum share of sound questions flagged by chance, checked by tests/bench/health.py."""


@dataclass(frozen=True)
class Quarter:
    """One quarter as stored: how often ``shown``, ``n`` first answers, how many ``right``, and the sums above."""

    year: int
    quarter: int
    shown: int
    n: int
    right: int
    surplus: float
    variance: float


@dataclass(frozen=True)
class HealthCounts:
    """One version's data from ``questions.models.ItemHealth``."""

    n: int
    squares: float
    weight: float
    spread: float
    quarters: Sequence[Quarter]
    met_by: int
    learners: int
    information: float | None
    information_error: float | None


@dataclass(frozen=True)
class Figure:
    """A ``value`` from ``n`` answers with its standard error; ``is_enough``: there are enough answers for it.

    ``is_called``: it is flagged; ``at_most``: the share of sound questions flagged by chance.
    """

    name: str
    value: float | None
    error: float | None
    n: int
    is_enough: bool
    is_called: bool
    at_most: float


@dataclass(frozen=True)
class QuarterFigures:
    """A quarter; ``share`` right, ``expected``: the share expected from the curve and the rest of the bank.

    ``z`` is None if the quarter doesn't count.
    """

    year: int
    quarter: int
    shown: int
    n: int
    share: float | None
    expected: float | None
    z: float | None


@dataclass(frozen=True)
class HealthFigures:
    """One version: the figures, the quarters oldest first, and how many learners were shown it."""

    figures: Sequence[Figure]
    quarters: Sequence[QuarterFigures]
    met_by: int
    learners: int

    @property
    def met_share(self) -> float | None:
        """The share of the exam's learners who were shown it."""
        return ratio(self.met_by, self.learners)

    @property
    def called(self) -> list[str]:
        """The names of the flagged figures."""
        return [figure.name for figure in self.figures if figure.is_called]


@dataclass(frozen=True)
class CurvePoint:
    """Among the ``n`` answers by learners ranked about ``rank``, 0 .. 1, the ``share`` that included an option."""

    rank: float
    n: int
    share: float | None


def health_figures(item: ItemFigures, health: HealthCounts) -> HealthFigures:
    """All of a version's figures, from its counts by ability and its health sums."""
    quarters = quarter_figures(health.quarters)
    return HealthFigures(
        figures=[_discrimination(item), _fit(health), _drift(quarters), _information(health)],
        quarters=quarters,
        met_by=health.met_by,
        learners=health.learners,
    )


def quarter_figures(quarters: Sequence[Quarter]) -> list[QuarterFigures]:
    """Each quarter, with its z if at least two have enough answers."""
    counted = [each for each in quarters if each.n >= LEAST_IN_QUARTER and each.variance > 0]
    surplus, variance = sum(each.surplus for each in counted), sum(each.variance for each in counted)
    found = []
    for each in quarters:
        z = None
        if each in counted and len(counted) > 1:
            off = each.surplus - each.variance * surplus / variance
            z = off / math.sqrt(each.variance * (1 - each.variance / variance))
        expected = ratio(each.right, each.n)
        if expected is not None:
            expected = min(max(expected - each.surplus / each.n, 0.0), 1.0)
        found.append(
            QuarterFigures(each.year, each.quarter, each.shown, each.n, ratio(each.right, each.n), expected, z)
        )
    return found


def furthest(quarters: int) -> float:
    """How far the largest of this many quarters' z may be off by chance, except for one question in 1 / DOUBT.

    Sidak's bound for independent figures; these sum to zero, so it is slightly wide.
    """
    return NormalDist().inv_cdf(1 - (1 - (1 - DOUBT) ** (1 / quarters)) / 2)


def option_curve(chosen: Sequence[int], answers: Sequence[int]) -> list[CurvePoint]:
    """By ability, the share that chose an option, from counts in equally wide rank bins."""
    wide = len(answers) // CURVE_POINTS
    points = []
    for place in range(CURVE_POINTS if wide else 0):
        part = slice(place * wide, (place + 1) * wide)
        n, mine = sum(answers[part]), sum(chosen[part])
        share = mine / n if n >= LEAST_AT_POINT else None
        points.append(CurvePoint((place + 0.5) / CURVE_POINTS, n, share))
    return points


def _discrimination(item: ItemFigures) -> Figure:
    enough = item.rest_n >= LEAST_ANSWERS
    is_called = Flag.FLAT in item.flags
    return Figure(
        "discrimination", item.discrimination, item.error, item.rest_n, enough, is_called, AT_MOST["discrimination"]
    )


def _fit(health: HealthCounts) -> Figure:
    value = error = None
    if health.weight > 0 and health.spread > 0:
        value, error = health.squares / health.weight, math.sqrt(health.spread) / health.weight
    enough = health.n >= LEAST_ANSWERS
    bound = NormalDist().inv_cdf(1 - DOUBT)
    called = enough and value is not None and error is not None and value - 1 > bound * error
    return Figure("fit", value, error, health.n, enough, called, AT_MOST["fit"])


def _drift(quarters: Sequence[QuarterFigures]) -> Figure:
    counted = [each for each in quarters if each.z is not None]
    strongest = max((each.z for each in counted if each.z is not None), key=abs, default=None)
    n = sum(each.n for each in counted) if counted else sum(each.n for each in quarters)
    called = strongest is not None and abs(strongest) > furthest(len(counted))
    return Figure("drift", strongest, None, n, bool(counted), called, AT_MOST["drift"])


def _information(health: HealthCounts) -> Figure:
    value, error = health.information, health.information_error
    enough = health.n >= LEAST_ANSWERS
    called = enough and value is not None and error is not None and value + Z_ONE_SIDED_95 * error < LEAST_INFORMATION
    return Figure("information", value, error, health.n, enough, called, AT_MOST["information"])
