"""Simulates how often the health figures flag a sound question, and how often they find an unsound one.

Learners and sound questions are those of tests/bench/items.py, without miskeys. One question in twelve *drifts* (in the
last of four quarters it is easier by DRIFT: word got around), one in twelve *leaks* (a share LEAKED of the learners
knows it, whatever else they know), and one in twelve *says nothing* (slope SILENT). Learners improve by GROWTH over
their answers. The site's own functions calibrate, measure and flag.
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
from practice.measurement.calibration.rules.rests import rest_chances, rest_ranks
from practice.measurement.calibration.rules.triplets import checked_answers
from practice.measurement.health.rules import Curve, Expectations, information, sums_by_item
from practice.measurement.statistics.rules import RankedAnswers, RestCounts, rest_counts
from questions.versions.statistics.health.rules import (
    AT_MOST,
    LEAST_INFORMATION,
    HealthCounts,
    Quarter,
    health_figures,
)
from questions.versions.statistics.rules import ItemCounts, ItemFigures, OptionCounts, item_figures
from tests.bench.table import markdown

QUESTIONS, GUESS, BINS, QUARTERS = 200, 0.25, 10, 4
SOUND, DRIFTS, LEAKS, SILENT_KIND = range(4)
KINDS = ("sound", "drifts", "leaks", "says nothing")
DRIFT, LEAKED, SILENT, GROWTH = 1.0, 0.4, 0.1, 0.5
PASSING = 0.3
"""The ability at the pass mark, in deviations of the learners."""


@dataclass(frozen=True)
class Case:
    """Answers per question, from learners with this many sessions of this many questions each."""

    answers: int
    drills: int
    length: int


CASES = (*(Case(n, *way) for n in (50, 200) for way in ((1, 10), (3, 10), (1, 60))), Case(800, 3, 10))


@dataclass(frozen=True)
class Given:
    """The answers to a made-up bank, one entry each; by question its kind and its true information at the pass mark."""

    learner: np.ndarray
    item: np.ndarray
    right: np.ndarray
    quarter: np.ndarray
    kind: np.ndarray
    information: np.ndarray


def make_answers(rng: np.random.Generator, case: Case, questions: int = QUESTIONS) -> Given:
    """Simulate about ``case.answers`` answers per question; no learner meets a question twice."""
    each = case.drills * case.length
    learners = case.answers * questions // each
    kind = np.where(rng.random(questions) < 1 / 4, rng.integers(1, len(KINDS), questions), SOUND)
    slope, place = np.exp(rng.normal(0, 0.3, questions)), rng.normal(-0.4, 0.8, questions)
    slope = np.where(kind == SILENT_KIND, SILENT, slope)
    asked, items = np.zeros(questions), []
    for _ in range(learners):
        mine = np.argsort(asked + 6 * rng.random(questions))[:each]
        asked[mine] += 1
        items.append(rng.permutation(mine))
    learner, item = np.repeat(np.arange(learners), each), np.concatenate(items)
    quarter = np.repeat(rng.integers(0, QUARTERS, learners), each)
    ability = np.repeat(rng.standard_normal(learners), each) + np.tile(np.linspace(-GROWTH, GROWTH, each), learners) / 2
    kind_of = kind[item]
    easier = np.where((kind_of == DRIFTS) & (quarter == QUARTERS - 1), DRIFT, 0)
    knows = rng.random(len(item)) < 1 / (1 + np.exp(-slope[item] * (ability - place[item] + easier)))
    knows |= (kind_of == LEAKS) & (rng.random(len(item)) < LEAKED)
    right = knows | (rng.random(len(item)) < GUESS)
    true = [information(Curve(a, b, GUESS, 0, 0), PASSING)[0] for a, b in zip(slope, place, strict=True)]
    return Given(learner, item, right, quarter, kind, np.array(true))


def called_of(given: Given) -> list[tuple[int, bool, list[str]]]:
    """Return by question its kind, whether it is truly informative enough at the pass mark, and what the site flags."""
    questions = len(given.kind)
    learners = int(given.learner.max()) + 1
    who, what = given.learner.astype(np.int32), given.item.astype(np.int32)
    triplets = checked_answers(who, what, given.right, learners, questions)
    guessing = np.full(questions, GUESS)
    prior = Prior(np.zeros(questions, np.int32), np.array([0.5]), d_sd=0.95)
    found, common = calibrate(triplets, "2pl", prior, guessing), calibrate(triplets, "rasch", prior, guessing)
    items = Items(found.a, found.d, guessing)
    chances = rest_chances(triplets, items), rest_chances(triplets, Items(common.a, common.d, guessing))
    expected = Expectations(what, given.right, *chances, given.quarter.astype(np.int32), questions, QUARTERS)
    ranked = RankedAnswers(what, given.right, 1 << np.where(given.right, 1, 2), rest_ranks(triplets, items), questions)
    error = np.sqrt(found.se_d**2 + (found.b * found.se_a) ** 2) / found.a
    named = []
    for item, (sums, rests) in enumerate(zip(sums_by_item(expected), rest_counts(ranked, BINS), strict=True)):
        curve = Curve(found.a[item], found.b[item], GUESS, found.se_a[item], error[item])
        health = HealthCounts(
            sums.n, sums.squares, sums.weight, sums.spread,
            [Quarter(2026, q.quarter + 1, q.n, q.n, q.right, q.surplus, q.variance) for q in sums.quarters],
            0, 0, *information(curve, PASSING),
        )  # fmt: skip
        figures = health_figures(_figures_of(rests), health)
        named.append((int(given.kind[item]), bool(given.information[item] >= LEAST_INFORMATION), figures.called))
    return named


def _figures_of(rests: RestCounts) -> ItemFigures:
    """Compute figures from abilities and right or wrong alone: which option was chosen doesn't matter here."""
    return item_figures(
        ItemCounts(
            n=rests.rest_n, right=rests.rest_right_n, rest_n=rests.rest_n, rest_sum=rests.rest_sum,
            rest_squares=rests.rest_squares, rest_right_n=rests.rest_right_n, rest_right_sum=rests.rest_right_sum,
            by_rest=rests.by_rest, by_seconds=(), options=[OptionCounts(slot, slot == 1) for slot in range(1, 5)],
        ),
        (),
    )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A line of the table: the share of sound questions with each figure flagged, and by kind what finds it.

    For ``information``, the sound questions are those that are truly informative enough.
    """

    case: Case
    sound: int
    by_chance: dict[str, float]
    found: Sequence[float]

    def broken(self) -> list[str]:
        """Return the bounds that are exceeded."""
        name = f"{self.case.answers} answers, {self.case.drills} x {self.case.length}"
        return [f"{name}, {figure}" for figure, share in self.by_chance.items() if share > AT_MOST[figure]]


FINDS = (
    ("drifts", "drift"),
    ("leaks", "drift"),
    ("leaks", "fit"),
    ("says nothing", "fit"),
    ("says nothing", "discrimination"),
)


def measured(case: Case, banks: int = 10, seed: int = 17, questions: int = QUESTIONS) -> Row:
    """Measure one row over this many banks, with random numbers from a seed."""
    rng = np.random.default_rng(seed)
    named = [each for _ in range(banks) for each in called_of(make_answers(rng, case, questions))]
    sound = [called for kind, _, called in named if kind == SOUND]
    telling = [called for kind, tells, called in named if kind == SOUND and tells]
    by_chance = {figure: _share(figure, telling if figure == "information" else sound) for figure in AT_MOST}
    found = [_share(by, [called for number, _, called in named if KINDS[number] == kind]) for kind, by in FINDS]
    return Row(case, len(sound), by_chance, found)


def _share(figure: str, called: Sequence[Sequence[str]]) -> float:
    return float(np.mean([figure in each for each in called])) if called else 0.0


HEAD = ("Answers a question", "sessions a learner", "sound", *AT_MOST, *(f"{kind}: {by}" for kind, by in FINDS))


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [
        (
            str(row.case.answers), f"{row.case.drills} of {row.case.length}", f"{row.sound:,}",
            *(f"{share:.3f}" for share in (*row.by_chance.values(), *row.found)),
        )
        for row in rows
    ]  # fmt: skip
    return markdown(HEAD, lines)


def section(banks: int = 10, seed: int = 17) -> str:
    """Return all rows as a Markdown table, followed by the bounds that are exceeded."""
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        rows = list(pool.map(partial(measured, banks=banks, seed=seed), CASES))
    broken = [each for row in rows for each in row.broken()]
    return "\n".join([table(rows), f"\nOver a bound: {'; '.join(broken) or 'nothing'}."])


if __name__ == "__main__":
    print(section())
