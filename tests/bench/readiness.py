"""Measures how honest P(pass) is for simulated learners whose true chance is known, and the bounds it must keep.

It uses belief.py, growth.py and pass_chance.py of practice/measurement/ability/rules as the site does. *Brier* is the
Brier score above the oracle's: the mean of (prediction - truth)^2, by which a prediction's Brier score exceeds the
truth's own in expectation over the mocks. *Error* is the calibration error over ten bins of the prediction, against the
truth. *In range* is the share of learners whose next mock falls in the 80% range.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import numpy as np

from practice.measurement.ability.rules.belief import (
    LABEL_DEVIATION,
    GivenAnswer,
    ItemBelief,
    LearnerState,
    Population,
    follow,
    newcomer,
    update,
)
from practice.measurement.ability.rules.growth import with_growth
from practice.measurement.ability.rules.pass_chance import (
    Mock,
    abilities,
    central_range,
    pass_chance,
    passing,
    score_distribution,
)
from practice.measurement.calibration.rules.fit import Prior, calibrate
from practice.measurement.calibration.rules.triplets import Answers
from practice.measurement.laboratory.rules.evaluation import calibration_error
from tests.bench.learners import (
    CHECKS,
    DOMAINS,
    GUESS,
    IN_DOMAIN,
    MEAN,
    NEEDED,
    QUESTIONS,
    Bank,
    Course,
    answers_of,
    make_bank,
    make_course,
    make_mock,
    next_scores,
    surely,
    true_chances,
    with_repeats,
)

POPULATION = Population(mean=MEAN)
UNBOUND = (math.inf,) * len(CHECKS)


@dataclass(frozen=True)
class Said:
    """The predictions, arrays of shape (n, checks): the chance, and the ends of the range."""

    chance: np.ndarray
    low: np.ndarray
    high: np.ndarray


def say(states: Sequence[Sequence[LearnerState]], mock: Mock, population: Population) -> Said:
    """Predict from the learners' states at the checks."""
    found = np.zeros((3, len(states), len(states[0])))
    for learner, row in enumerate(states):
        for check, state in enumerate(row):
            scores = score_distribution(abilities(state, range(DOMAINS), population), mock)
            found[:, learner, check] = (passing(scores, NEEDED), *central_range(scores))
    return Said(*found)


def followed(course: Course, beliefs: Sequence[Sequence[ItemBelief]], population: Population) -> Said:
    """Predict for each learner alone, with the questions believed to be like this."""
    rows = []
    for learner in range(len(course.domain)):
        state, row = newcomer(population), []
        for answer in answers_of(course, learner, beliefs):
            state = update(state, answer, population).state
            if answer.first and state.answers in CHECKS:
                row.append(state)
        rows.append(row)
    return say(rows, make_mock(beliefs), population)


def cold(course: Course, population: Population) -> Said:
    """Follow all learners at once, one answer each in turn, learning the questions from the same answers.

    A prediction at a check uses what is known of the questions by then; a learner's past is not replayed.
    """
    start = ItemBelief(0.0, LABEL_DEVIATION**2, 1.0, GUESS)
    beliefs = [[start] * IN_DOMAIN for _ in range(DOMAINS)]
    states = [newcomer(population)] * len(course.domain)
    parts = []
    for place in range(course.domain.shape[1]):
        columns = zip(*(each[:, place].tolist() for each in (course.domain, course.item, course.right)), strict=True)
        for learner, (domain, item, right) in enumerate(columns):
            answer = GivenAnswer(0.0, domain, (domain, item), beliefs[domain][item], right)
            done = update(states[learner], answer, population)
            states[learner], beliefs[domain][item] = done.state, done.belief
        if place + 1 in CHECKS:
            parts.append(say([[state] for state in states], make_mock(beliefs), population))
    return Said(*(np.hstack([getattr(part, name) for part in parts]) for name in ("chance", "low", "high")))


def calibrated(course: Course) -> list[list[ItemBelief]]:
    """Return the questions as the site calibrates them from the answers of others: 2PL over the whole exam."""
    learners, answers = course.domain.shape
    who = np.repeat(np.arange(learners, dtype=np.int32), answers)
    what = (course.domain * IN_DOMAIN + course.item).astype(np.int32).ravel()
    items = DOMAINS * IN_DOMAIN
    given = Answers(who, what, course.right.astype(np.bool_).ravel(), learners, items)
    prior = Prior(np.zeros(items, dtype=np.int32), np.array([MEAN]), d_sd=LABEL_DEVIATION)
    found = calibrate(given, "2pl", prior, np.full(items, GUESS))
    errors = np.sqrt(found.se_d**2 + (found.b * found.se_a) ** 2) / found.a
    flat = [
        ItemBelief(b, e**2, a, GUESS)
        for a, b, e in zip(*map(np.ndarray.tolist, (found.a, found.b, errors)), strict=True)
    ]
    return [flat[domain * IN_DOMAIN : (domain + 1) * IN_DOMAIN] for domain in range(DOMAINS)]


@dataclass(frozen=True)
class Row:
    """At one check: Brier score above the oracle's, calibration error, share of next scores in the 80% range."""

    answers: int
    brier: float
    error: float
    covered: float


def judged(rng: np.random.Generator, bank: Bank, course: Course, said: Said) -> list[Row]:
    """Compare with the truth at the abilities of each check, and with one next mock per learner."""
    rows = []
    for check, answers in enumerate(CHECKS):
        able = course.abilities + course.growth * answers
        truth, scores = true_chances(bank, able), next_scores(rng, bank, able)
        chance, low, high = said.chance[:, check], said.low[:, check], said.high[:, check]
        covered = float(np.mean((low <= scores) & (scores <= high))) if np.isfinite(low).all() else math.nan
        rows.append(Row(answers, float(np.mean((chance - truth) ** 2)), calibration_error(chance, truth), covered))
    return rows


def percent_so_far(course: Course) -> Said:
    """Predict from the percentage alone: a pass if the share right so far is at least what the exam needs."""
    first = course.repeat == 0
    share = np.cumsum(course.right & first, axis=1) / np.cumsum(first, axis=1)
    ends = [np.argmax(np.cumsum(first, axis=1) == check, axis=1) for check in CHECKS]
    passed = np.stack([share[np.arange(len(share)), end] >= NEEDED / QUESTIONS for end in ends], axis=1)
    return Said(passed.astype(float), *(np.full(passed.shape, np.nan),) * 2)


def oracle(rng: np.random.Generator, learners: int) -> list[Row]:
    """Predict knowing the true abilities, so that only chance remains; its Brier score is given in full."""
    bank = make_bank(rng)
    course = make_course(rng, bank, learners)
    truth = true_chances(bank, course.abilities)
    scores = [score_distribution(row, make_mock(bank.all_beliefs)) for row in surely(course.abilities)]
    low, high = np.array([central_range(each) for each in scores]).T
    after = next_scores(rng, bank, course.abilities)
    covered = float(np.mean((low <= after) & (after <= high)))
    return [Row(check, float(np.mean(truth * (1 - truth))), 0.0, covered) for check in CHECKS]


@dataclass(frozen=True)
class Case:
    """A line of the table: what is measured and how, and the bounds on Brier score and calibration error."""

    name: str
    run: Callable[[np.random.Generator, int], list[Row]]
    brier: tuple[float, ...] = UNBOUND
    error: tuple[float, ...] = UNBOUND
    covered: tuple[float, float] = (0.0, 1.0)

    def broken(self, rows: Sequence[Row]) -> list[str]:
        """Return the bounds that are exceeded."""
        found = []
        for row, brier, error in zip(rows, self.brier, self.error, strict=True):
            if row.brier > brier:
                found.append(f"{self.name}, Brier after {row.answers}")
            if row.error > error:
                found.append(f"{self.name}, error after {row.answers}")
            if not math.isnan(row.covered) and not self.covered[0] <= row.covered <= self.covered[1]:
                found.append(f"{self.name}, in range after {row.answers}")
        return found


def known_items(rng: np.random.Generator, learners: int) -> list[Row]:
    bank = make_bank(rng)
    course = make_course(rng, bank, learners)
    return judged(rng, bank, course, followed(course, bank.all_beliefs, POPULATION))


def percentage(rng: np.random.Generator, learners: int) -> list[Row]:
    bank = make_bank(rng)
    course = make_course(rng, bank, learners)
    return judged(rng, bank, course, percent_so_far(course))


def calibrated_items(rng: np.random.Generator, learners: int) -> list[Row]:
    bank = make_bank(rng)
    beliefs = calibrated(make_course(rng, bank, learners // 2))
    course = make_course(rng, bank, learners)
    return judged(rng, bank, course, followed(course, beliefs, Population()))


def cold_start(rng: np.random.Generator, learners: int) -> list[Row]:
    bank = make_bank(rng)
    course = make_course(rng, bank, learners)
    return judged(rng, bank, course, cold(course, Population()))


def repeats(rng: np.random.Generator, learners: int) -> list[Row]:
    bank = make_bank(rng)
    course = with_repeats(rng, make_course(rng, bank, learners))
    return judged(rng, bank, course, followed(course, bank.all_beliefs, POPULATION))


def improving(
    rng: np.random.Generator, learners: int, growth: float = 1.0, spread: float = 0.0, fitted: bool = True
) -> list[Row]:
    """Predict for learners who improve; growth is estimated from a quarter as many others."""
    bank = make_bank(rng)
    others = make_course(rng, bank, learners // 4, growth, spread)
    histories = (answers_of(others, learner, bank.all_beliefs) for learner in range(learners // 4))
    population = with_growth(histories, POPULATION) if fitted else POPULATION
    course = make_course(rng, bank, learners, growth, spread)
    return judged(rng, bank, course, followed(course, bank.all_beliefs, population))


KNOWN_BRIER, LEARNED_BRIER = (0.055, 0.035, 0.022, 0.012), (0.060, 0.038, 0.023, 0.013)
COVERED = (0.77, 0.83)
CASES = (
    Case("known items", known_items, KNOWN_BRIER, (math.inf, 0.02, 0.02, 0.02), COVERED),
    Case("calibrated items", calibrated_items, LEARNED_BRIER, (math.inf, 0.03, 0.03, 0.03), COVERED),
    Case("cold start", cold_start, LEARNED_BRIER, (math.inf, 0.03, 0.03, 0.03), COVERED),
    Case("40% remembered repeats", repeats, UNBOUND, (0.02,) * 4, COVERED),
    Case("improving by 1 SD", improving, UNBOUND, (0.05,) * 4, COVERED),
    Case("improving by N(0.5, 0.5) SD", partial(improving, growth=0.5, spread=0.5), UNBOUND, (0.05,) * 4, COVERED),
    Case("improving by 1 SD, growth not estimated", partial(improving, fitted=False)),
    Case("percent so far >= pass mark", percentage),
    Case("oracle (its own Brier score in full)", oracle),
)
HEAD = ["Case", *(f"{what} after {n}" for what in ("Brier", "error", "in range") for n in CHECKS)]


def section(learners: int = 4000) -> str:
    """Return all cases as a Markdown table, followed by the bounds that are exceeded and the cost of P(pass)."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        found = list(pool.map(measured, range(len(CASES)), [learners] * len(CASES)))
    lines = [HEAD, ["---", *["---:"] * (len(HEAD) - 1)]]
    lines += [[case.name, *cells(rows)] for case, rows in zip(CASES, found, strict=True)]
    broken = [each for case, rows in zip(CASES, found, strict=True) for each in case.broken(rows)]
    return "\n".join(
        [
            f"{learners:,} simulated learners.\n",
            *("| " + " | ".join(line) + " |" for line in lines),
            f"\nOver a bound: {'; '.join(broken) or 'nothing'}. P(pass): {milliseconds():.2f} ms.",
        ]
    )


def measured(case: int, learners: int) -> list[Row]:
    """Measure one case, always with the same random numbers."""
    return CASES[case].run(np.random.default_rng(3), learners)


def cells(rows: Sequence[Row]) -> list[str]:
    """Return Brier scores, errors and covered shares; an empty cell if there is no range."""
    briers, errors = [f"{row.brier:.4f}" for row in rows], [f"{row.error:.4f}" for row in rows]
    return briers + errors + ["" if math.isnan(row.covered) else f"{row.covered:.3f}" for row in rows]


def milliseconds() -> float:
    """Return the median time of one P(pass)."""
    rng = np.random.default_rng(3)
    bank = make_bank(rng)
    state, mock = follow(answers_of(make_course(rng, bank, 1), 0, bank.all_beliefs)), make_mock(bank.all_beliefs)
    times = []
    for _ in range(200):
        started = time.perf_counter()
        pass_chance(state, mock)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


if __name__ == "__main__":
    print(section())
