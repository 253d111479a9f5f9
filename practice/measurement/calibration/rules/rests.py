"""How able a learner is by the rest of what they answered: the ability that item statistics correlate with; pure."""

from __future__ import annotations

import math

import numpy as np

from practice.measurement.calibration.rules.marginal import Items, blocks, normal_grid, posteriors
from practice.measurement.calibration.rules.triplets import Answers, Floats


def rest_ranks(answers: Answers, items: Items, nodes: int = 61) -> Floats:
    """For each answer the learner's rank by all their other answers, 0 .. 1, in the order of ``answers``.

    The rank is the share of all learners who are less able: the mean of Phi(theta) over the posterior of the learner's
    ability theta ~ N(0, 1), given the items and every answer of theirs but this one. It is that posterior in which the
    answer's own likelihood is divided out again (Bock & Mislevy 1982, Applied Psychological Measurement 6, 431-444, for
    the posterior mean). Without another answer the rank is 1/2.
    """
    grid = normal_grid(nodes)
    below = np.array([0.5 * (1 + math.erf(theta / math.sqrt(2))) for theta in grid.theta])
    order = np.argsort(answers.learner, kind="stable")  # the order of the blocks' cells
    ranks, done = np.empty(len(answers)), 0
    parts = blocks(answers)
    for part, (posterior, likelihood) in zip(parts, posteriors(parts, items, grid), strict=True):
        without = (1 / likelihood).T
        rank = ((posterior * below) @ without).ravel()[part.cells] / (posterior @ without).ravel()[part.cells]
        ranks[order[done : done + len(part.cells)]] = rank
        done += len(part.cells)
    return ranks
