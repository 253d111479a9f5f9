"""Measures calibration: 10,000 simulated learners x 500 items, of which each learner answered a fifth: 1.0 M answers.

The seconds run from triplets to estimates with standard errors, on as many threads as BLAS uses; CPU seconds are what
one core would need. Spread is the root mean square of the errors in units of their standard errors: 1 if the standard
errors are right. Rasch has only one slope, so its spread is a single draw.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from practice.measurement.calibration.rules.fit import Model, calibrate
from practice.measurement.calibration.rules.triplets import Answers, checked_answers
from tests.bench.table import markdown

LEARNERS, ITEMS, DENSITY = 10_000, 500, 0.2
HEAD = ["Calibration", "answers", "seconds", "CPU seconds", "EM steps", "converged", "spread of a", "spread of d"]


@dataclass(frozen=True)
class Row:
    """The figures of one calibration."""

    name: str
    answers: int
    seconds: float
    cpu_seconds: float
    steps: int
    converged: bool
    spread_a: float
    spread_d: float


def simulated(slopes: np.ndarray, intercepts: np.ndarray) -> Answers:
    """Return the answers of learners whose abilities are N(0, 1)."""
    rng = np.random.default_rng(20)
    theta = rng.standard_normal(LEARNERS)
    learner, item = (each.astype(np.int32) for each in np.nonzero(rng.random((LEARNERS, ITEMS)) < DENSITY))
    chance = 1 / (1 + np.exp(-(slopes[item] * theta[learner] + intercepts[item])))
    return checked_answers(learner, item, rng.random(len(chance)) < chance, LEARNERS, ITEMS)


def rows() -> Iterator[Row]:
    """Calibrate by 2PL with log-normal (0, 0.3) slopes and by Rasch with slopes of 1; intercepts are N(0, 1)."""
    rng = np.random.default_rng(19)
    intercepts = rng.standard_normal(ITEMS)
    models: list[tuple[Model, np.ndarray]] = [
        ("2pl", np.exp(rng.normal(0, 0.3, ITEMS))),
        ("rasch", np.ones(ITEMS)),
    ]
    for model, slopes in models:
        answers = simulated(slopes, intercepts)
        wall, cpu = time.perf_counter(), time.process_time()
        found = calibrate(answers, model)
        seconds, cpu_seconds = time.perf_counter() - wall, time.process_time() - cpu
        spread_a, spread_d = (
            float(np.sqrt(np.mean(((estimate - truth) / error) ** 2)))
            for estimate, truth, error in ((found.a, slopes, found.se_a), (found.d, intercepts, found.se_d))
        )
        yield Row(model, len(answers), seconds, cpu_seconds, found.steps, found.converged, spread_a, spread_d)


def section() -> str:
    """Return the rows as a Markdown table."""
    lines = [
        [
            f"{row.name}, {LEARNERS:,} x {ITEMS}",
            f"{row.answers:,}",
            f"{row.seconds:.1f}",
            f"{row.cpu_seconds:.1f}",
            str(row.steps),
            "yes" if row.converged else "no",
            f"{row.spread_a:.2f}",
            f"{row.spread_d:.2f}",
        ]
        for row in rows()
    ]
    return markdown(HEAD, lines)


if __name__ == "__main__":
    print(section())
