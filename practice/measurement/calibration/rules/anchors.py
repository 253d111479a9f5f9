"""One scale for all runs: difficulties are linked to questions known before, and newcomers are placed on it; pure.

A fit sets those who answered to N(0, 1). If that were the scale, thirty strong first learners would make every question
look easy and the next learner look like one of them. So the fit is moved onto the scale of its anchors: a question of
an earlier run stays where that run put it, any other is expected where its label says, with standard deviation
LABEL_DEVIATION (mean-mean linking with fixed anchors: Kolen & Brennan, Test Equating, Scaling, and Linking, 3rd ed.
2014, section 6.3, each question weighted by how well both sides know it).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from practice.measurement.calibration.rules.triplets import Floats

USUAL_DEVIATION = 0.5
"""Before any learners: the mean of newcomers is N(0, this) on a scale where a medium question has the usual centre."""
FIRST_LEARNERS, FIRST_DEVIATION = 100, 0.8
"""The first learners are friends or enthusiasts: their mean differs from that of all who will come by N(0, this), which
counts half as much once this many have come."""


@dataclass(frozen=True, slots=True)
class Normal:
    """A number with its error, both in logits."""

    mean: float
    error: float


def link(difficulty: Floats, error: Floats, anchor: Floats, anchor_error: Floats) -> Normal:
    """What to add to each difficulty of a fit to put it on the anchors' scale; all four arrays have shape (n,).

    Items without a finite estimate are ignored; with none at all the shift is 0, and its error infinite.
    """
    weights = 1 / (error**2 + anchor_error**2)
    known = (weights > 0) & (abs(difficulty) < math.inf)
    total = float(weights[known].sum())
    if not total:
        return Normal(0.0, math.inf)
    return Normal(float(weights[known] @ (anchor - difficulty)[known]) / total, total**-0.5)


def newcomers(shift: Normal, learners: int) -> Normal:
    """The mean ability of future learners, from what ``link`` found for those so far: they are N(shift, 1).

    Its error combines that of the link, the sample size, and the first not being like those to come; the mean is shrunk
    accordingly towards the usual one.
    """
    first = FIRST_DEVIATION**2 * FIRST_LEARNERS / (FIRST_LEARNERS + learners)
    found = shift.error**2 + 1 / learners + first
    weight = USUAL_DEVIATION**2 / (USUAL_DEVIATION**2 + found)
    return Normal(weight * shift.mean, math.sqrt(USUAL_DEVIATION**2 * (1 - weight)))
