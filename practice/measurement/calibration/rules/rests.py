"""What a learner's other answers say about one answer: the learner's ability, and the chance that it is right; pure.

The answer itself is left out: the posterior of the learner's ability theta ~ N(0, 1) is taken given the items and all
of their answers except this one, whose likelihood is divided out again (Bock & Mislevy 1982, Applied Psychological
Measurement 6, 431-444, for the posterior mean). Without another answer it is N(0, 1).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from practice.measurement.calibration.rules.marginal import Items, blocks, normal_grid, posteriors
from practice.measurement.calibration.rules.triplets import Answers, Floats


def rest_ranks(answers: Answers, items: Items, nodes: int = 61) -> Floats:
    """For each answer the learner's rank by all their other answers, 0 .. 1, in the order of ``answers``.

    The rank is the share of all learners who are less able: the mean of Phi(theta) over the posterior.
    """
    below = np.array([[0.5 * (1 + math.erf(theta / math.sqrt(2)))] for theta in normal_grid(nodes).theta])
    return _rest_means(answers, items, nodes, lambda _: below)


def rest_chances(answers: Answers, items: Items, nodes: int = 61) -> Floats:
    """For each answer, the chance that it is right given all the learner's other answers, in the order of ``answers``.

    The chance is the mean of the item's curve over the posterior: the model's prediction before the answer is given.
    """

    def curves_twice(likelihood: Floats) -> Floats:
        right = likelihood[answers.items :]
        return np.vstack([right, right]).T

    return _rest_means(answers, items, nodes, curves_twice)


def _rest_means(answers: Answers, items: Items, nodes: int, value: Callable[[Floats], Floats]) -> Floats:
    """For each answer a posterior mean.

    ``value`` turns the likelihood of either verdict (``posteriors``) into what is averaged, shape (nodes, 2 items) or
    (nodes, 1).
    """
    order = np.argsort(answers.learner, kind="stable")  # the order of cells in the blocks
    means, done = np.empty(len(answers)), 0
    parts = blocks(answers)
    for part, (posterior, likelihood) in zip(parts, posteriors(parts, items, normal_grid(nodes)), strict=True):
        without = (1 / likelihood).T
        mean = (posterior @ (value(likelihood) * without)).ravel()[part.cells]
        means[order[done : done + len(part.cells)]] = mean / (posterior @ without).ravel()[part.cells]
        done += len(part.cells)
    return means
