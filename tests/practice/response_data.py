"""Response data for the calibration tests: the LSAT tables and simulated learners."""

import csv
from pathlib import Path

import numpy as np

from practice.measurement.calibration.rules.triplets import Answers, checked_answers

DATA = Path(__file__).parent / "data"


def lsat(section: int) -> np.ndarray:
    """Return a 1,000 x 5 matrix of 1 for a right answer and 0 for a wrong one."""
    with (DATA / f"lsat{section}.csv").open() as file:
        counts = {row["pattern"]: int(row["takers"]) for row in csv.DictReader(file)}
    return np.array([[int(digit) for digit in pattern] for pattern, takers in counts.items() for _ in range(takers)])


def from_matrix(matrix: np.ndarray) -> Answers:
    """Turn a matrix of 1 (right), 0 (wrong) and -1 (unanswered) into answers."""
    learner, item = np.nonzero(matrix >= 0)
    return checked_answers(
        learner.astype(np.int32), item.astype(np.int32), matrix[learner, item] == 1, *(int(n) for n in matrix.shape)
    )


def simulated(
    learners: int, a: np.ndarray, d: np.ndarray, density: float = 1.0, c: float = 0.0, seed: int = 1
) -> Answers:
    """Simulate answers of learners drawn from N(0, 1); each learner gets each item with probability ``density``."""
    rng = np.random.default_rng(seed)
    theta = rng.standard_normal(learners)
    learner, item = np.nonzero(rng.random((learners, len(a))) < density)
    chance = c + (1 - c) / (1 + np.exp(-(a[item] * theta[learner] + d[item])))
    right = rng.random(len(chance)) < chance
    return checked_answers(learner.astype(np.int32), item.astype(np.int32), right, learners, len(a))
