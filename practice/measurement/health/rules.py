"""A question's fit to ability, its drift by quarter, and its information at the pass mark; pure.

**Residuals.** For each answer x (1 right, 0 wrong), E is the chance that it is right, given the question's curve and
all the learner's *other* answers (practice/measurement/calibration/rules/rests.py). Under the model, x is a coin toss
with chance E, so x - E has mean 0 and variance W = E (1 - E), and its square has variance W - 4 W W.

**Two curves.** Drift is measured by the question's own curve. Fit is measured by the curve it would have if all
questions shared one slope: its own is fitted to these same answers, which leaves no room for misfit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from practice.measurement.calibration.rules.triplets import Bools, Floats, Ints

STEP = 1e-4
"""The step, in logits, of the central differences used to propagate errors."""


@dataclass(frozen=True)
class Expectations:
    """First exposures of an exam's items 0 .. items-1, one entry per answer.

    ``chance``: E by the item's own curve; ``common``: E by its curve of the common slope; ``quarter``: 0 .. quarters-1,
    in order of time.
    """

    item: Ints
    right: Bools
    chance: Floats
    common: Floats
    quarter: Ints
    items: int
    quarters: int


@dataclass(frozen=True)
class QuarterSums:
    """An item's answers in one quarter: ``n``, of which ``right`` are right, and how many more that is than expected.

    ``surplus`` is that, less the item's share of the quarter's overall deviation; ``variance`` is the sum of W.
    """

    quarter: int
    n: int
    right: int
    surplus: float
    variance: float


@dataclass(frozen=True)
class ItemSums:
    """An item: ``n`` answers; by the common slope, the sums of (x - E)^2, of W, and of W - 4 W W; and its quarters.

    Quarters are in order; those without an answer are left out.
    """

    n: int
    squares: float
    weight: float
    spread: float
    quarters: Sequence[QuarterSums]


def sums_by_item(answers: Expectations) -> list[ItemSums]:
    """The sums of each item.

    Drift is relative to the bank: learners improve, so their early answers are worse than all their answers together
    suggest. In a quarter, all items are off by r = sum (x - E) / sum W; an item's surplus is its own sum (x - E) minus
    r times its own sum W.
    """
    cell = answers.item.astype(np.int64) * answers.quarters + answers.quarter

    def by_cell(values: Floats) -> Floats:
        sums = np.bincount(cell, values, answers.items * answers.quarters).astype(np.float64)
        return sums.reshape(answers.items, answers.quarters)

    x = answers.right.astype(np.float64)
    n, right, residual = by_cell(np.ones_like(x)), by_cell(x), by_cell(x - answers.chance)
    variance = by_cell(answers.chance * (1 - answers.chance))
    total = variance.sum(axis=0)
    rate = np.divide(residual.sum(axis=0), total, out=np.zeros_like(total), where=total > 0)
    surplus = residual - variance * rate
    v = answers.common * (1 - answers.common)
    squares, weight, spread = (by_cell(each).sum(axis=1) for each in ((x - answers.common) ** 2, v, v - 4 * v**2))
    return [
        ItemSums(
            n=int(n[item].sum()),
            squares=float(squares[item]),
            weight=float(weight[item]),
            spread=float(spread[item]),
            quarters=[
                QuarterSums(int(q), int(n[at]), int(right[at]), float(surplus[at]), float(variance[at]))
                for q in np.flatnonzero(n[item])
                for at in [(item, q)]
            ],
        )
        for item in range(answers.items)
    ]


@dataclass(frozen=True)
class Curve:
    """A question's response curve P = c + (1 - c) logistic(a (theta - b)), in logits, with the errors of a and b."""

    slope: float
    difficulty: float
    guess: float
    slope_error: float
    difficulty_error: float


def ability_to_pass(shares: Floats, abilities: NDArray[np.float64], needed: float) -> float:
    """The ability at which ``needed`` of a mock is expected right: ``shares`` at increasing ``abilities``, both of
    shape (n,).

    Beyond the ends of the grid, the nearer end.
    """
    return float(np.interp(needed, shares, abilities))


def information(curve: Curve, ability: float) -> tuple[float, float]:
    """Fisher information of an answer at this ability, in 1 / logit^2, and its standard error.

    I = a^2 (1 - P) (P - c)^2 / (P (1 - c)^2) (Lord 1980, Applications of Item Response Theory, 4-43). The error by the
    delta method from those of a and b, their covariance left out.
    """
    a, b = curve.slope, curve.difficulty
    by_slope = (_information(a + STEP, b, curve.guess, ability) - _information(a - STEP, b, curve.guess, ability)) / 2
    by_place = (_information(a, b + STEP, curve.guess, ability) - _information(a, b - STEP, curve.guess, ability)) / 2
    parts = by_slope / STEP * curve.slope_error, by_place / STEP * curve.difficulty_error
    return _information(a, b, curve.guess, ability), float(np.hypot(*parts))


def _information(slope: float, difficulty: float, guess: float, ability: float) -> float:
    logistic = 1 / (1 + np.exp(-slope * (ability - difficulty)))
    chance = guess + (1 - guess) * logistic
    return float(slope**2 * (1 - chance) * logistic**2 / chance)
