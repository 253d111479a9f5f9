"""How well the learner model predicts the next answers of learners it hasn't seen; pure.

The model is the site's own, for many learners at once (``abreast``); only the beliefs about questions come from
elsewhere. A log of another course has no calibration, so difficulties are learned from the training learners, as a sum
of Gaussian parts (the additive factor model of Cen, Koedinger & Junker, "Learning factors analysis", ITS 2006, with a
part for each question):

difficulty = question + domain - practice of the domain * log(1 + answers the learner gave in the domain before)

An answer updates the parts as it does the learner's components, in proportion to their share of the difficulty's
variance. The answers of one step, one per learner, are independent: their information is added as precisions. For
held-out learners the parts are fixed. A log doesn't say who had seen a solution before, so every answer counts as a
first exposure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from practice.measurement.ability.rules.belief import Population, Vector
from practice.measurement.laboratory.rules.abreast import Asked, Lanes, Numbers, Said
from practice.measurement.laboratory.rules.answer_logs import LoggedAnswer
from practice.measurement.laboratory.rules.timetable import timetables

LOG_POPULATION = Population(general=1.0, domain=0.5, growth=0.0001**2, general_walk=0.005, domain_walk=0.01)
"""People on a course over months and with many small skills change faster than those preparing for one exam."""

ITEM_VARIANCE, DOMAIN_VARIANCE, PRACTICE_VARIANCE = 1.5, 1.0, 0.1
LANES = 256
"""Learners predicted at once: more isn't faster, because their table no longer fits in the CPU cache."""
BINS = 10
"""As on the site's own calibration page (``BANDS``), so that the two can be compared."""


class Parts:
    """Parts of one kind, each N(mean, variance); both arrays have shape (parts,)."""

    def __init__(self, count: int, variance: float) -> None:
        self.mean = np.zeros(count)
        self.variance = np.full(count, variance)

    def learn(self, which: Numbers, factor: Vector, said: Said) -> None:
        """Distribute what answers said about difficulties: linear regression of the part on the sum.

        ``which`` and ``factor`` have the shape of ``said``. The harder a question, the smaller the gap, hence the
        minus. A part asked about twice in a step gets the sum of both in precisions, each as if it had come first. If
        guessing is likely, an answer can make a Gaussian wider; it then leaves the part's variance unchanged.
        """
        variance = self.variance[which]
        toward = factor * variance
        after = np.minimum(variance + said.narrowed * toward**2, variance)
        mean = self.mean[which] - said.moved * toward
        precision, weighted = 1 / self.variance, self.mean / self.variance
        np.add.at(precision, which, 1 / after - 1 / variance)
        np.add.at(weighted, which, mean / after - self.mean[which] / variance)
        self.mean, self.variance = weighted / precision, 1 / precision


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures for the predictions for held-out learners.

    ``calibration`` is the mean distance of prediction and result over ten equal bins of the prediction, weighted by
    their size; ``auc`` is nan if all answers were the same.
    """

    predictions: int
    auc: float
    log_loss: float
    rmse: float
    calibration: float


class Course:
    """A log as numbers, and the beliefs about its questions' parts."""

    def __init__(self, answers: Sequence[LoggedAnswer], guess: float, population: Population) -> None:
        self.answers, self.guess, self.population = answers, guess, population
        self.item = numbered([answer.item for answer in answers])
        self.domain = numbered([answer.domain for answer in answers])
        self.right = np.array([answer.right for answer in answers])
        self.days = np.array([answer.days for answer in answers])
        self.items = Parts(1 + self.item.max(), ITEM_VARIANCE)
        self.domains = Parts(1 + self.domain.max(), DOMAIN_VARIANCE)
        self.practice = Parts(1 + self.domain.max(), PRACTICE_VARIANCE)

    def follow(self, places: Sequence[int], *, learn: bool, lanes: int = LANES) -> Vector:
        """The chance of each of these answers before it was given, shape (n,). When learning, the parts are updated."""
        chances = np.full(len(self.answers), np.nan)
        for table in timetables(self.answers, places, lanes):
            learners = Lanes(table.answer.shape[1], table.domains, self.population, self.guess)
            for step, alive in enumerate(table.alive):
                answer, practised = table.answer[step, :alive], table.practised[step, :alive]
                shares = self._shares(answer, -np.log1p(practised))
                difficulty, variance = np.zeros(alive), np.zeros(alive)
                for parts, which, factor in shares:
                    difficulty += factor * parts.mean[which]
                    variance += factor**2 * parts.variance[which]
                place, met = table.place[step, :alive], table.met[step, :alive]
                said = learners.answer(Asked(self.days[answer], place, met, difficulty, variance, self.right[answer]))
                chances[answer] = said.chance
                for parts, which, factor in shares if learn else ():
                    parts.learn(which, factor, said)
        return chances[np.array(places)]

    def _shares(self, answer: Numbers, practice: Vector) -> Sequence[tuple[Parts, Numbers, Vector]]:
        """The parts that make up the difficulties of these answers' questions, with their factors."""
        item, domain, whole = self.item[answer], self.domain[answer], np.ones(len(answer))
        return (self.items, item, whole), (self.domains, domain, whole), (self.practice, domain, practice)


def numbered(names: Sequence[str]) -> Numbers:
    """Each name's number, in order of first appearance; shape (n,)."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.intp)


def evaluate(answers: Sequence[LoggedAnswer], guess: float = 0.0, population: Population = LOG_POPULATION) -> Figures:
    """Learn the questions from the training learners, then predict every answer of the others from those before it.

    ``answers`` are in each learner's order; raises ValueError without a held-out answer.
    """
    training = [place for place, answer in enumerate(answers) if not answer.test]
    held_out = [place for place, answer in enumerate(answers) if answer.test]
    if not held_out:
        raise ValueError("needs at least one prediction")
    course = Course(answers, guess, population)
    course.follow(training, learn=True, lanes=learning_lanes(training, answers))
    chances = course.follow(held_out, learn=False)
    return figures(chances, course.right[np.array(held_out)].astype(np.float64))


def learning_lanes(places: Sequence[int], answers: Sequence[LoggedAnswer]) -> int:
    """How many learners to learn from at once: an eighth, so that most answers have difficulties others have
    informed."""
    learners = len({answers[place].learner for place in places})
    return max(1, min(LANES, learners // 8))


def figures(chances: Vector, right: Vector) -> Figures:
    """The figures for predictions and results (0.0 or 1.0), each of shape (n,). Raises ValueError for n = 0."""
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
    """The chance that a right answer was predicted higher than a wrong one, ties half: Mann-Whitney U by mid-ranks."""
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
