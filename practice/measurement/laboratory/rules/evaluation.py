"""How well the learner model foretells the next answer of learners it has not seen; pure.

The functions are the site's own, ``readiness.chance`` and ``readiness.update``; only what is believed of questions
comes from elsewhere. A log of another course carries no calibration, so difficulties are learned from the training
learners, answer by answer, as a sum of Gaussian parts (the additive factor model of Cen, Koedinger & Junker, "Learning
factors analysis", ITS 2006, with a part for each question):

    difficulty = question + domain - practice of the domain * log(1 + answers the learner gave in the domain before)

Each answer moves the parts as the learner's components are moved, in proportion to their share in the difficulty's
variance. For the held-out learners the parts stand still. A log does not say who had seen a solution before: every
answer counts as a first exposure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from practice.measurement.ability.rules.belief import (
    GivenAnswer,
    ItemBelief,
    LearnerState,
    Population,
    Vector,
    chance,
    newcomer,
    update,
)
from practice.measurement.laboratory.rules.answer_logs import LoggedAnswer

LOG_POPULATION = Population(general=1.0, domain=0.5, growth=0.0001**2, general_walk=0.005, domain_walk=0.01)
"""People in a course over months and many small skills change faster than those who prepare for one exam."""

ITEM_VARIANCE, DOMAIN_VARIANCE, PRACTICE_VARIANCE = 1.5, 1.0, 0.1
BINS = 10


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a question's difficulty: ``factor`` times what ``key`` stands for, N(0, variance) at first."""

    key: Hashable
    factor: float
    variance: float


@dataclass
class Difficulties:
    """What is believed of every part met so far: key -> (mean, variance)."""

    guess: float = 0.0
    known: dict[Hashable, tuple[float, float]] = field(default_factory=dict)

    def belief(self, parts: Sequence[Part]) -> ItemBelief:
        """Of the difficulty that these parts make."""
        mean = variance = 0.0
        for part in parts:
            its_mean, its_variance = self.known.get(part.key, (0.0, part.variance))
            mean += part.factor * its_mean
            variance += part.factor**2 * its_variance
        return ItemBelief(mean, variance, 1.0, self.guess)

    def learn(self, parts: Sequence[Part], before: ItemBelief, after: ItemBelief) -> None:
        """Share out what an answer taught about the difficulty: linear regression of each part on the sum."""
        moved = (after.difficulty - before.difficulty) / before.variance
        narrowed = (after.variance - before.variance) / before.variance**2
        for part in parts:
            mean, variance = self.known.get(part.key, (0.0, part.variance))
            toward = part.factor * variance
            self.known[part.key] = mean + moved * toward, variance + narrowed * toward**2


@dataclass(frozen=True, slots=True)
class Figures:
    """Of the predictions for held-out learners. ``calibration`` is the mean distance of prediction and result over
    ten equal bins of the prediction, weighted by what is in them; ``auc`` is nan where all answers were alike."""

    predictions: int
    auc: float
    log_loss: float
    rmse: float
    calibration: float


@dataclass(slots=True)
class _Learner:
    state: LearnerState
    practised: Counter[str] = field(default_factory=Counter)


def evaluate(answers: Iterable[LoggedAnswer], guess: float = 0.0, population: Population = LOG_POPULATION) -> Figures:
    """Learn the questions from the training learners, then foretell every answer of the others from those before it.

    ``answers`` are in each learner's order; raises ValueError without a held-out answer.
    """
    answers = list(answers)
    difficulties = Difficulties(guess)
    pass_through([answer for answer in answers if not answer.test], difficulties, population, learn=True)
    held_out = [answer for answer in answers if answer.test]
    chances = pass_through(held_out, difficulties, population, learn=False)
    return figures(np.array(chances), np.array([answer.right for answer in held_out], dtype=np.float64))


def pass_through(
    answers: Iterable[LoggedAnswer], difficulties: Difficulties, population: Population, *, learn: bool
) -> list[float]:
    """Follow all learners answer by answer. Learning, the difficulties are updated; else each answer is foretold."""
    learners: dict[str, _Learner] = {}
    numbers: dict[str, int] = {}
    chances = []
    for logged in answers:
        learner = learners.setdefault(logged.learner, _Learner(newcomer(population)))
        parts = parts_of(logged, learner.practised[logged.domain])
        belief = difficulties.belief(parts)
        domain = numbers.setdefault(logged.domain, len(numbers))
        given = GivenAnswer(logged.days, domain, logged.item, belief, logged.right)
        if not learn:
            chances.append(chance(learner.state, given, population))
        done = update(learner.state, given, population)
        if learn:
            difficulties.learn(parts, belief, done.belief)
        learner.state = done.state
        learner.practised[logged.domain] += 1
    return chances


def parts_of(logged: LoggedAnswer, practised: int) -> tuple[Part, ...]:
    """What makes up the difficulty of this answer's question, after so many answers in its domain."""
    return (
        Part(("item", logged.item), 1.0, ITEM_VARIANCE),
        Part(("domain", logged.domain), 1.0, DOMAIN_VARIANCE),
        Part(("practice", logged.domain), -math.log1p(practised), PRACTICE_VARIANCE),
    )


def figures(chances: Vector, right: Vector) -> Figures:
    """Of predictions and results (0.0 or 1.0), each of shape (n,). Raises ValueError for n = 0."""
    if not len(chances):
        raise ValueError("needs at least one prediction")
    return Figures(
        predictions=len(chances),
        auc=area_under_curve(chances, right),
        log_loss=float(-np.mean(np.log(np.where(right > 0, chances, 1 - chances)))),
        rmse=float(np.sqrt(np.mean((chances - right) ** 2))),
        calibration=calibration_error(chances, right),
    )


def area_under_curve(chances: Vector, right: Vector) -> float:
    """The chance that a right answer was foretold higher than a wrong one, ties half: Mann-Whitney U by mid-ranks."""
    hits = float(right.sum())
    misses = len(right) - hits
    if not hits or not misses:
        return math.nan
    _, place, counts = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    return (float(ranks @ right) - hits * (hits + 1) / 2) / (hits * misses)


def calibration_error(chances: Vector, results: Vector) -> float:
    """Over ten equal bins of the prediction, |mean prediction - mean result| weighted by the bin's share."""
    bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    return float(np.abs(np.bincount(bins, chances - results, BINS)).sum() / len(chances))
