"""How precise a mean is when some learners contributed several of its values; pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from practice.measurement.calibration.rules.triplets import Floats

RESAMPLES = 1000
"""The interval's ends then lie between the 25 most extreme means and the rest: the usual minimum for 95% (Efron &
Tibshirani 1993)."""
SEED = 20261123
"""Fixed, so that a page shows the same until a value is added."""
CELLS = 2_000_000
"""16 MB of counts at a time, however many learners there are."""


def bootstrap(values: Floats, who: NDArray[np.int64]) -> tuple[float, float]:
    """The ends of the 95% percentile interval of the mean of values, shape (n,), resampling whole learners ``who``.

    The cluster bootstrap (Davison & Hinkley, Bootstrap Methods and their Application, 1997, section 3.8): values from
    one learner are correlated, so learners are drawn with replacement, each with all their values.
    """
    learners = np.unique(who, return_inverse=True)[1]
    sums, counts = np.bincount(learners, weights=values), np.bincount(learners)
    rng, size = np.random.default_rng(SEED), len(counts)
    rows = max(1, CELLS // size)
    means = []
    for first in range(0, RESAMPLES, rows):
        drawn = rng.multinomial(size, np.full(size, 1 / size), min(rows, RESAMPLES - first))
        means.append((drawn @ sums) / (drawn @ counts))
    low, high = np.quantile(np.concatenate(means), (0.025, 0.975))
    return float(low), float(high)


def effective(who: NDArray[np.int64]) -> float:
    """The minimum number of independent values these are worth: (sum m)^2 / sum m^2 over the m values of each learner.

    Kish (Survey Sampling, 1965, section 8.2) treating a learner's values as identical. For shares near 0 or 1, where a
    bootstrap finds no spread.
    """
    counts = np.unique(who, return_counts=True)[1]
    return float(counts.sum() ** 2 / (counts**2).sum())
