"""The learner model for many learners at once, one lane each; pure.

The same formulas as ``practice.measurement.ability.rules.belief``, on arrays: the result for each learner equals that
of ``belief.follow`` (tests/practice/test_evaluation.py). A log of a million answers takes seconds this way, instead of
minutes with one learner after the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from practice.measurement.ability.rules.belief import (
    FIRST_DOMAIN,
    GENERAL,
    GROWTH,
    NODES,
    Population,
    Vector,
)

Numbers = npt.NDArray[np.intp]
AT, SHARE = (np.array(column) for column in zip(*NODES, strict=True))


@dataclass(frozen=True, slots=True)
class Asked:
    """One answer in each of the first n lanes, as ``GivenAnswer`` holds one; every array has shape (n,).

    ``place`` is the component of its domain, ``met`` how many domains the learner had met before. ``difficulty`` and
    ``variance`` are the belief about the question.
    """

    days: Vector
    place: Numbers
    met: Numbers
    difficulty: Vector
    variance: Vector
    right: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Said:
    """The predicted answers, and how far the answers move a gap: mean and variance, each relative to its variance."""

    chance: Vector
    moved: Vector
    narrowed: Vector


class Lanes:
    """Newcomers, each with an answer at every step until its last; those with fewer answers have later lanes."""

    def __init__(self, lanes: int, domains: int, population: Population, guess: float) -> None:
        size = FIRST_DOMAIN + domains
        self.population, self.guess = population, guess
        self.means = np.zeros((lanes, size))
        self.means[:, GENERAL], self.means[:, GROWTH] = population.mean, population.growth_mean
        self.covariance = np.zeros((lanes, size, size))
        self.covariance[:, GENERAL, GENERAL] = population.general
        self.covariance[:, GROWTH, GROWTH] = population.growth
        self.days = np.full(lanes, np.inf)
        # Reused from step to step: allocating a table of this size takes longer than filling it.
        self.learned = np.empty_like(self.covariance)

    def answer(self, asked: Asked) -> Said:
        """Move the lanes to the times of their answers, predict these, learn from them, and go on one step."""
        size = 1 + max(int(asked.place.max()), FIRST_DOMAIN + int(asked.met.max()) - 1)
        means, covariance = self.means[: len(asked.place), :size], self.covariance[: len(asked.place), :size, :size]
        lanes = np.arange(len(means))
        away = lanes[asked.days > self.days[: len(lanes)]]
        if len(away):
            self._age(away, asked, means, covariance)
        self.days[: len(lanes)] = asked.days
        opening = lanes[asked.place == FIRST_DOMAIN + asked.met]
        covariance[opening, asked.place[opening], asked.place[opening]] = self.population.domain
        toward = covariance[:, GENERAL] + covariance[lanes, asked.place]
        gap = means[:, GENERAL] + means[lanes, asked.place] - asked.difficulty
        spread = toward[:, GENERAL] + toward[lanes, asked.place] + asked.variance
        said = self._matched(gap, spread, asked.right)
        means += said.moved[:, None] * toward
        learned = self.learned[: len(lanes), :size, :size]
        np.multiply((said.narrowed[:, None] * toward)[:, :, None], toward[:, None, :], out=learned)
        covariance += learned
        step(means, covariance, asked.place, self.population)
        return said

    def _age(self, away: Numbers, asked: Asked, means: Vector, covariance: Vector) -> None:
        """As ``belief.at``, for the lanes that were away."""
        population, days = self.population, asked.days[away] - self.days[away]
        level = level_variance(covariance[away], asked.met[away])
        wider = np.maximum(0.0, population.general - covariance[away, GENERAL, GENERAL])
        wider *= 1 - 2.0 ** (-days / population.widening)
        surplus = np.maximum(0.0, means[away, GENERAL] - population.mean)
        forgotten = surplus * (1 - 2.0 ** (-days / population.half_life))
        means[away, GENERAL] -= forgotten + 2 * (np.sqrt(level + wider) - np.sqrt(level))
        covariance[away, GENERAL, GENERAL] += wider

    def _matched(self, gap: Vector, spread: Vector, right: npt.NDArray[np.bool_]) -> Said:
        """As ``belief.chance`` and ``belief.matched``."""
        sigma = np.sqrt(spread)
        hit = self.guess + (1 - self.guess) / (1 + np.exp(-(gap[:, None] + sigma[:, None] * AT)))
        mass = np.where(right[:, None], hit, 1 - hit) * SHARE
        total = mass.sum(axis=1)
        first, second = mass @ AT / total, mass @ AT**2 / total
        return Said(hit @ SHARE, first / sigma, (second - first * first - 1) / spread)


def level_variance(covariance: Vector, met: Numbers) -> Vector:
    """As ``belief.level_variance``, in every lane."""
    components = np.arange(covariance.shape[1])
    known = (components >= FIRST_DOMAIN) & (components < FIRST_DOMAIN + met[:, None])
    weights = known / met[:, None]
    weights[:, GENERAL] = 1.0
    return np.einsum("lc,lcd,ld->l", weights, covariance, weights)


def step(means: Vector, covariance: Vector, place: Numbers, population: Population) -> None:
    """As ``belief.step``, in every lane."""
    lanes = np.arange(len(means))
    means[:, GENERAL] += means[:, GROWTH]
    covariance[:, GENERAL] += covariance[:, GROWTH]
    covariance[:, :, GENERAL] += covariance[:, :, GROWTH]
    covariance[:, GENERAL, GENERAL] += population.general_walk
    covariance[lanes, place, place] += population.domain_walk
