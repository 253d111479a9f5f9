"""What the answer to a second sibling is worth, by simulation, for the learner model's ``SIBLING_WEIGHTS``; pure.

**Who is simulated.** Abilities are N(0, 1) in logits. Everybody answers 20 single questions and one question from each
of ten families, and some time later a second one from each; all are choose-one of four, with known difficulties N(0,
1). Two things relate siblings, and the model that follows the answers knows neither:

- *the shared scenario*: to all siblings of a family a learner brings the same N(0, ``shared``) beside the ability
  (the testlet effect of Bradlow, Wainer & Wang, "A Bayesian random effects model for testlets", Psychometrika 1999;
  variances of 0.25 to 1 are usual there);
- *the explanation read after the first*: with the chance ``transfer`` it gives the second one away, as long as it is
  remembered, and memory fades as FSRS has it after a first "good" (docs/decisions/0007 says why repeats count nothing:
  what is right by memory says nothing of an ability).

**What is asked.** Second answers enter the likelihood with a power, the weight. The best one gives the posterior that
fits the true abilities best: the highest mean log density there (a proper score). Nobody has measured how strongly
siblings are related here, so we take the weight that is best where they are related most: elsewhere it still says more
than leaving the second answer out, and it flatters nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from fsrs import Card, Rating, Scheduler

from practice.measurement.ability.rules.belief import Vector, hermite

GUESS = 0.25
"""One of four options, as most questions have."""
LONE, FAMILIES = 20, 10
GAPS = {"within a day": 0.2, "within a week": 4.0, "later": 30.0}
"""In days, for each of the three gaps we distinguish."""
SHARED = (0.25, 0.5, 1.0)
TRANSFER = (0.25, 0.5, 0.75)
"""Nobody has measured either here, so the whole range is simulated and the weight taken that is safe over all of it."""
WEIGHTS = np.linspace(0.0, 1.0, 21)
GRID = np.linspace(-5.0, 5.0, 201)


@dataclass(frozen=True)
class Setting:
    """How strongly siblings are related: the variance of the shared part, and what an explanation gives away."""

    shared: float
    transfer: float


@dataclass(frozen=True)
class Worth:
    """At one gap: the best weight on average over the settings, and the ``safe`` one, best where it is smallest.

    ``gains`` are the scores at the safe weight relative to those at 0, by setting; ``errors`` the mean errors of the
    ability over all settings at weights 0, safe and 1, in logits.
    """

    gap: str
    best: float
    safe: float
    gains: tuple[float, ...]
    errors: tuple[float, float, float]


def recall(days: float) -> float:
    """The chance that an explanation read this many days ago is remembered, by FSRS with its default weights."""
    scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    card, _ = scheduler.review_card(Card(card_id=0), Rating.Good)
    decay = -scheduler.parameters[20]
    factor = 0.9 ** (1 / decay) - 1
    return float((1 + factor * days / (card.stability or 1.0)) ** decay)


def worth(learners: int, seed: int, settings: Sequence[Setting]) -> list[Worth]:
    """For each gap, what the second answers are worth over these settings; deterministic for a seed."""
    found = []
    for name, days in GAPS.items():
        rows = []
        for place, setting in enumerate(settings):
            rng = np.random.default_rng([seed, place, round(10 * days)])
            rows.append(_scored(rng, learners, setting, setting.transfer * recall(days)))
        scores, errors = np.array([score for score, _ in rows]), np.mean([error for _, error in rows], axis=0)
        best, safe = int(scores.mean(axis=0).argmax()), int(scores.argmax(axis=1).min())
        gains = tuple(float(row[safe] - row[0]) for row in scores)
        off = (float(errors[0]), float(errors[safe]), float(errors[-1]))
        found.append(Worth(name, float(WEIGHTS[best]), float(WEIGHTS[safe]), gains, off))
    return found


def grid() -> list[Setting]:
    return [Setting(shared, transfer) for shared in SHARED for transfer in TRANSFER]


def _scored(rng: np.random.Generator, learners: int, setting: Setting, known: float) -> tuple[Vector, Vector]:
    """By weight, the mean log density of the posterior at the true ability, and the mean error of its mean."""
    ability = rng.normal(size=(learners, 1))
    shared = rng.normal(0.0, np.sqrt(setting.shared), (learners, FAMILIES))
    lone, first, second = (rng.normal(size=(learners, n)) for n in (LONE, FAMILIES, FAMILIES))
    early_gaps = np.hstack([ability - lone, ability + shared - first])
    early = rng.random(early_gaps.shape) < _chance(early_gaps)
    late = rng.random(second.shape) < _chance(ability + shared - second)
    late |= rng.random(second.shape) < known
    prior = -0.5 * GRID**2
    firm = prior + _likelihood(early[:, :LONE], lone, 0.0) + _likelihood(early[:, LONE:], first, setting.shared)
    loose = _likelihood(late, second, setting.shared)
    scores, errors = np.zeros(len(WEIGHTS)), np.zeros(len(WEIGHTS))
    nearest = np.abs(GRID - ability).argmin(axis=1)[:, None]
    for n, weight in enumerate(WEIGHTS):
        logs = firm + weight * loose
        logs -= logs.max(axis=1, keepdims=True)
        total = np.exp(logs).sum(axis=1)
        density = np.take_along_axis(logs, nearest, axis=1)[:, 0] - np.log(total * (GRID[1] - GRID[0]))
        scores[n] = density.mean()
        errors[n] = (np.exp(logs) @ GRID / total - ability[:, 0]).mean()
    return scores, errors


def _likelihood(right: np.ndarray, difficulty: np.ndarray, shared: float) -> np.ndarray:
    """The likelihood of these answers at each ability of the grid, shape (learners, grid), averaged over the shared
    part."""
    nodes, shares = hermite(7)
    chance = np.zeros((*difficulty.shape, len(GRID)))
    for node, share in zip(nodes, shares, strict=True):
        chance += share * _chance(GRID + node * np.sqrt(shared) - difficulty[:, :, None])
    logs: np.ndarray = np.log(np.where(right[:, :, None], chance, 1 - chance)).sum(axis=1)
    return logs


def _chance(gap: np.ndarray) -> np.ndarray:
    chance: np.ndarray = GUESS + (1 - GUESS) / (1 + np.exp(-gap))
    return chance
