"""Newton's method for maximising a smooth function within limits; pure.

Projected Newton as in Bertsekas (1982), SIAM Journal on Control and Optimization 20, 221-246, with a ridge where the
function isn't concave, and halved steps where a full one goes downhill.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from practice.measurement.calibration.rules.triplets import Bools, Floats

# Newton's method takes a handful of steps or is lost; after thirty halvings a step is a billionth of its length, so it
# has stopped.
STEPS, HALVINGS = 60, 30
GAIN = 1e-7
"""In natural log units: if a step promises a smaller gain, there is nothing left to gain."""
NEARLY = 0.05
"""If a step's gain was within this share of what it promised, the curvature is still valid: it's expensive to
compute."""
RIDGES = (0.0, *(10.0**power for power in range(-6, 7)))
"""Added to the curvature, in units of its diagonal, until it is that of a maximum."""


@dataclass(frozen=True)
class Hill:
    """Height and gradient at a point, the negated second derivatives there, and the nearest point within the limits."""

    slope: Callable[[Floats], tuple[float, Floats]]
    curvature: Callable[[Floats], Floats]
    within: Callable[[Floats], Floats]


def climb(hill: Hill, x: Floats) -> tuple[Floats, int, bool]:
    """The point reached, the number of evaluations of height and gradient, and whether it is a maximum."""
    height, gradient = hill.slope(x)
    asked, curvature = 1, hill.curvature(x)
    for _ in range(STEPS):
        free = _free(hill, x, gradient)
        step = np.zeros_like(x)
        step[free] = uphill(curvature[np.ix_(free, free)], gradient[free])
        promised = float(gradient @ step)
        if promised < GAIN:
            return x, asked, True
        for halving in range(HALVINGS):
            there = hill.within(x + step / 2**halving)
            reached, gradient_there = hill.slope(there)
            asked += 1
            if reached > height:
                break
        else:
            return x, asked, False
        is_straight = halving == 0 and np.abs(reached - height - promised / 2) < NEARLY * promised
        x, height, gradient = there, reached, gradient_there
        if not is_straight:
            curvature = hill.curvature(x)
    return x, asked, False


def uphill(curvature: Floats, gradient: Floats) -> Floats:
    """The step to the paraboloid's maximum, with the smallest ridge for which there is one."""
    own = np.abs(np.diag(curvature)) + np.finfo(np.float64).tiny
    for ridge in RIDGES:
        try:
            np.linalg.cholesky(curvature + np.diag(ridge * own))
        except np.linalg.LinAlgError:
            continue
        return np.asarray(np.linalg.solve(curvature + np.diag(ridge * own), gradient), np.float64)
    return gradient / own


def _free(hill: Hill, x: Floats, gradient: Floats) -> Bools:
    """The parameters not held at a limit by a gradient pointing out of it."""
    tiny = 1e-9 * np.sign(gradient)
    free: Bools = hill.within(x + tiny) != x
    return free
