"""How far a learner gets in a timed mock, and how that changes its score; pure.

Questions not reached are scored as wrong but say nothing about ability, so the forecast keeps the two apart, as Glas &
Pimentel do (``blanks.py``): the score of all questions if there were time, thinned to those reached.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from practice.measurement.ability.rules.belief import Vector

LATEST = 5
"""How many mocks count: with FADING, a sixth would weigh a thirty-second of the newest."""
FADING = 0.5
"""Each of the latest mocks counts this much of the one after it: people get faster, and the newest shows it."""
SPREAD = 0.05
"""The standard deviation of the share reached in a mock around that in an earlier one."""


@dataclass(frozen=True, slots=True)
class PastMock:
    """A mock that wasn't abandoned: the ``share`` of questions reached, and the ``factor`` on the exam's time, None if
    untimed."""

    share: float
    factor: float | None


def reach(mocks: Sequence[PastMock], count: int, factor: float | None) -> Vector | None:
    """The chance of reaching each number of questions of a mock of ``count`` at this time factor, shape (count + 1,).

    None if nothing suggests that any would stay out of reach: untimed, no earlier timed mock, or all of those went to
    the end. ``mocks`` are oldest first. Each of the latest says what a mock would reach at its seconds per question.
    """
    timed = [(mock.share, mock.factor) for mock in mocks if mock.factor][-LATEST:][::-1]
    if factor is None or all(share == 1 for share, _ in timed):
        return None
    chances, total = np.zeros(count + 1), 0.0
    for age, (share, had) in enumerate(timed):
        weight = FADING**age
        chances += weight * (_certain(count) if share == 1 else _around(share * factor / had, count))
        total += weight
    return chances / total


def _certain(count: int) -> Vector:
    chances = np.zeros(count + 1)
    chances[count] = 1
    return chances


def _around(share: float, count: int) -> Vector:
    """Normal around this share, rounded to whole questions, with the tails added to the ends."""
    edges = (np.arange(count) + 0.5 - share * count) / (SPREAD * count)
    below = np.array([0.0, *(0.5 * (1 + math.erf(edge / math.sqrt(2))) for edge in edges), 1.0])
    return np.diff(below)


def thinned(scores: Vector, reached: Vector | None) -> Vector:
    """The chance of each score among the questions reached, from that of each among all; both of shape (n + 1,).

    The order of a mock is random, so of n questions with k right, leaving out one leaves k - 1 with chance k / n, and
    so on down: hypergeometric, one question at a time.
    """
    if reached is None:
        return scores
    left, found = scores, reached[-1] * scores
    right = np.arange(len(scores))
    for n in range(len(scores) - 1, 0, -1):
        left = left * (n - right).clip(0) / n + np.append((left * right)[1:], 0.0) / n
        found = found + reached[n - 1] * left
    return found
