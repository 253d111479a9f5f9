"""Simulates how often the site's functions flag sound questions, and how often they find miskeyed ones.

Learners of ability N(0, 1) answer questions of four options with slopes log-normal (0, 0.3) and difficulties N(-0.4,
0.8). Learners who don't know guess: the key 1 time in 4, the distractors by their attraction (Dirichlet (2, 2, 2)),
which changes with ability (log odds PULL x N(0, 1) for each standard deviation). One question in twenty is miskeyed:
its most attractive distractor is keyed. Each learner takes ``drills`` sessions of ``length`` questions. As on the site,
the questions are calibrated (fit.py), the learners ranked (rests.py), the answers counted
(practice/measurement/statistics/rules.py) and the figures computed (questions/versions/statistics/rules.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import numpy as np

from practice.measurement.calibration.rules.fit import Prior, calibrate
from practice.measurement.calibration.rules.marginal import Items
from practice.measurement.calibration.rules.rests import rest_ranks
from practice.measurement.calibration.rules.triplets import checked_answers
from practice.measurement.statistics.rules import RankedAnswers, RestCounts, rest_counts
from questions.versions.statistics.rules import Flag, ItemCounts, OptionCounts, item_figures
from tests.bench.table import markdown

QUESTIONS, OPTIONS, GUESS = 200, 4, 0.25
BINS = 10
MISKEYED, PULL = 0.05, 0.5
KEY = 1
FLAGGED, FOUND = 0.05, 0.85
"""The largest share of sound questions at 50 answers, and the smallest of miskeyed ones at 200."""


@dataclass(frozen=True)
class Case:
    """Answers per question, from learners with this many sessions of this many questions each."""

    answers: int
    drills: int
    length: int


CASES = tuple(Case(n, *way) for n in (50, 200) for way in ((1, 10), (3, 10), (10, 10), (1, 60)))


@dataclass(frozen=True)
class Given:
    """The answers to a made-up bank: learner, question, slot chosen; by question, the key and whether it is wrong."""

    learner: np.ndarray
    item: np.ndarray
    slot: np.ndarray
    key: np.ndarray
    miskeyed: np.ndarray


def make_answers(rng: np.random.Generator, case: Case, questions: int = QUESTIONS) -> Given:
    """Simulate about ``case.answers`` answers per question; no learner meets a question twice."""
    each = case.drills * case.length
    learners = case.answers * questions // each
    ability = rng.standard_normal(learners)
    asked = np.zeros(questions)
    items = []
    for _ in range(learners):
        mine = np.argsort(asked + 6 * rng.random(questions))[:each]
        asked[mine] += 1
        items.append(mine)
    learner, item = np.repeat(np.arange(learners), each), np.concatenate(items)
    slope, difficulty = np.exp(rng.normal(0, 0.3, questions)), rng.normal(-0.4, 0.8, questions)
    knows = rng.random(len(item)) < 1 / (1 + np.exp(-slope[item] * (ability[learner] - difficulty[item])))
    attraction = rng.dirichlet([2.0] * (OPTIONS - 1), questions)
    guess = np.log(np.column_stack([np.full(questions, GUESS), (1 - GUESS) * attraction]))[item]
    pull = PULL * rng.standard_normal((questions, OPTIONS))
    pull[:, 0] = 0
    chance = np.exp(guess + pull[item] * ability[learner][:, None])
    chance /= chance.sum(axis=1, keepdims=True)
    guessed = 1 + (chance.cumsum(axis=1) < rng.random(len(item))[:, None]).sum(axis=1)
    miskeyed = rng.random(questions) < MISKEYED
    key = np.where(miskeyed, 2 + attraction.argmax(axis=1), KEY)
    return Given(learner, item, np.where(knows, KEY, guessed), key, miskeyed)


def flags_of(given: Given) -> list[tuple[bool, tuple[Flag, ...]]]:
    """Return by question whether it is miskeyed, and what the site flags."""
    questions = len(given.key)
    right = given.slot == given.key[given.item]
    learners = int(given.learner.max()) + 1
    triplets = checked_answers(given.learner.astype(np.int32), given.item.astype(np.int32), right, learners, questions)
    guessing = np.full(questions, GUESS)
    prior = Prior(np.zeros(questions, dtype=np.int32), np.array([0.5]), d_sd=0.95)
    found = calibrate(triplets, "2pl", prior, guessing)
    ranks = rest_ranks(triplets, Items(found.a, found.d, guessing))
    counts = rest_counts(RankedAnswers(triplets.item, right, 1 << given.slot, ranks, questions), BINS)
    return [
        (bool(given.miskeyed[item]), item_figures(_counts(each, int(given.key[item])), ()).flags)
        for item, each in enumerate(counts)
    ]


def _counts(found: RestCounts, key: int) -> ItemCounts:
    """Count answers by rank; here every first exposure has a rank."""
    empty = {"rest_n": 0, "rest_sum": 0, "by_rest": [0] * BINS}
    chosen = {slot: found.options.get(slot, empty) for slot in range(1, OPTIONS + 1)}
    return ItemCounts(
        n=found.rest_n, right=found.rest_right_n, rest_n=found.rest_n, rest_sum=found.rest_sum,
        rest_squares=found.rest_squares, rest_right_n=found.rest_right_n, rest_right_sum=found.rest_right_sum,
        by_rest=found.by_rest, by_seconds=(),
        options=[OptionCounts(slot, slot == key, n=counts["rest_n"], **counts) for slot, counts in chosen.items()],
    )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A line of the table: the share of sound questions with any flag except a dead distractor's (some do have one),
    the share with each flag, and the share of miskeyed questions that are found.
    """

    case: Case
    sound: int
    flagged: float
    by_flag: dict[Flag, float]
    miskeyed: int
    found: float

    def broken(self) -> list[str]:
        """Return the bounds that are exceeded."""
        name = f"{self.case.answers} answers, {self.case.drills} x {self.case.length}"
        wrong = self.case.answers == 50 and self.flagged > FLAGGED
        missed = self.case.answers == 200 and self.found < FOUND
        return [f"{name}, {what}" for what, bad in (("sound", wrong), ("miskeyed", missed)) if bad]


def measured(case: Case, banks: int = 10, seed: int = 11) -> Row:
    """Measure one row over this many banks, with random numbers from a seed."""
    rng = np.random.default_rng(seed)
    questions = [each for _ in range(banks) for each in flags_of(make_answers(rng, case))]
    sound = [flags for miskeyed, flags in questions if not miskeyed]
    wrong = [flags for miskeyed, flags in questions if miskeyed]
    return Row(
        case=case,
        sound=len(sound),
        flagged=float(np.mean([bool(set(flags) - {Flag.DEAD}) for flags in sound])),
        by_flag={flag: float(np.mean([flag in flags for flags in sound])) for flag in Flag},
        miskeyed=len(wrong),
        found=float(np.mean([Flag.MISKEY in flags for flags in wrong])),
    )


HEAD = (
    "Answers a question", "sessions a learner", "sound", "flagged", "as miskeyed", "flat", "easy", "hard", "dead",
    "miskeyed", "found",
)  # fmt: skip
COLUMNS = (Flag.MISKEY, Flag.FLAT, Flag.EASY, Flag.HARD, Flag.DEAD)


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [
        (
            str(row.case.answers), f"{row.case.drills} of {row.case.length}", f"{row.sound:,}", f"{row.flagged:.3f}",
            *(f"{row.by_flag[flag]:.3f}" for flag in COLUMNS), str(row.miskeyed), f"{row.found:.3f}",
        )
        for row in rows
    ]  # fmt: skip
    return markdown(HEAD, lines)


def section(banks: int = 10, seed: int = 11) -> str:
    """Return all rows as a Markdown table, followed by the bounds that are exceeded."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        rows = list(pool.map(partial(measured, banks=banks, seed=seed), CASES))
    broken = [each for row in rows for each in row.broken()]
    return "\n".join([table(rows), f"\nOver a bound: {'; '.join(broken) or 'nothing'}."])


if __name__ == "__main__":
    print(section())
