"""Computes the highest possible share of right verdicts after some answers to questions drawn at random by blueprint.

The verdict here is the best possible: true slopes, difficulties and population are known, and the abilities' posterior
is exact, by quadrature over the general ability and over each domain's ability given the general one. The verdict is
the more probable side of an even chance for the true chance to pass, so by Bayes' rule no other reading of the same
answers is right more often. *By share* is the verdict from the share of right answers alone. Learners, banks and the
meaning of *right* are those of ``checks.py``; a second table has other learners and other banks.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from dataclasses import dataclass

import numpy as np

from practice.measurement.ability.rules.pass_chance import GRID
from practice.readiness.check.rules import next_domain
from tests.bench.checks import SHARES
from tests.bench.learners import (
    CORRELATION,
    DOMAINS,
    IN_DOMAIN,
    MEAN,
    NEEDED,
    QUESTIONS,
    SPREAD,
    Bank,
    make_abilities,
    make_bank,
    make_mock,
    shares,
    true_chances,
)
from tests.bench.table import markdown

AT = (30, 33, 40, 45, 50, 60)
ABILITIES = np.linspace(-4.5, 5.5, 81)
DEVIATIONS = np.linspace(-4, 4, 49)
EVEN = NEEDED - 0.5
"""The expected score at which the chance to pass is even: it puts 4 learners in 1,000 on the other side."""


@dataclass(frozen=True)
class World:
    """Mean and deviation of the abilities, and the deviation of the slopes' logarithms."""

    name: str
    mean: float = MEAN
    deviation: float = 1.0
    spread: float = SPREAD


USUAL = World("as above")
OTHERS = (
    USUAL,
    World("one in three passes", mean=0.05),
    World("two in three pass", mean=0.95),
    World("abilities closer together", deviation=0.88),
    World("abilities further apart", deviation=1.2),
    World("slopes that differ more", spread=0.5),
)


@dataclass(frozen=True)
class Found:
    """Shares of right verdicts: of the best verdict, its own expectation (less noisy), and of the verdict by share."""

    right: float
    expected: float
    by_share: float


def order(count: int) -> list[int]:
    """Return the domains of a check's questions in the order the site asks them."""
    found: list[int] = []
    for _ in range(count):
        domain = next_domain(SHARES, Counter(found), range(DOMAINS))
        assert domain is not None
        found.append(domain)
    return found


def side(likelihood: np.ndarray, curves: np.ndarray, world: World = USUAL) -> np.ndarray:
    """Return the posterior chance of an expected score above EVEN, from log likelihoods (n, 6, 81) and curves (6, 81).

    Given the general ability the domains are independent, and the sum of their expected scores is taken as normal.
    """
    general = world.mean + DEVIATIONS * world.deviation * math.sqrt(CORRELATION)
    within = np.exp(-((ABILITIES - general[:, None]) ** 2) / 2 / (1 - CORRELATION) / world.deviation**2)
    within /= within.sum(axis=1, keepdims=True)
    lik = np.exp(likelihood - likelihood.max(axis=2, keepdims=True))
    mass = np.einsum("ndt,gt->ndg", lik, within)
    log = np.log(mass).sum(axis=1) - DEVIATIONS**2 / 2
    weights = np.exp(log - log.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    mean, variance = np.zeros_like(weights), np.zeros_like(weights)
    for domain, count in shares(QUESTIONS).items():
        first, second = ((lik[:, domain] * curves[domain] ** n) @ within.T / mass[:, domain] for n in (1, 2))
        mean += count * first
        variance += count**2 * np.maximum(second - first**2, 1e-12)
    z = (mean - EVEN) / np.sqrt(variance)
    chance = 0.5 * (1 + np.vectorize(math.erf)(z / math.sqrt(2)))
    return np.asarray((weights * chance).sum(axis=1))


def of_bank(rng: np.random.Generator, bank: Bank, learners: int, world: World = USUAL) -> list[Found]:
    """Return the shares of one bank at each of AT."""
    abilities = world.mean + world.deviation * make_abilities(rng, learners, 0.0)
    passes = true_chances(bank, abilities) >= 0.5
    mock = make_mock(bank.all_beliefs)
    curves = np.array([np.interp(ABILITIES, GRID, mock.curves[domain]) for domain in range(DOMAINS)])
    items = rng.permuted(np.tile(np.arange(IN_DOMAIN), (learners, DOMAINS, 1)), axis=2)
    likelihood, score = np.zeros((learners, DOMAINS, len(ABILITIES))), np.zeros(learners)
    given, found = [0] * DOMAINS, []
    for asked, domain in enumerate(order(AT[-1]), start=1):
        item = items[:, domain, given[domain]]
        given[domain] += 1
        right = rng.random(learners) < bank.chances(domain, item, abilities[:, domain])
        chances = bank.chances(domain, item[:, None], ABILITIES)
        likelihood[:, domain] += np.log(np.where(right[:, None], chances, np.maximum(1 - chances, 1e-12)))
        score += right
        if asked in AT:
            chance = side(likelihood, curves, world)
            best, plain = ((said == passes).mean() for said in (chance >= 0.5, score / asked >= NEEDED / QUESTIONS))
            found.append(Found(float(best), float(np.maximum(chance, 1 - chance).mean()), float(plain)))
    return found


def of_world(world: World, banks: int, learners: int, seed: int) -> list[list[Found]]:
    """Return the shares by bank, at each of AT."""
    rng = np.random.default_rng(seed)
    return [of_bank(rng, make_bank(rng, world.spread), learners, world) for _ in range(banks)]


def cell(found: list[list[Found]], answers: int, which: str) -> str:
    """Return the mean over banks with its 95% interval."""
    each = [getattr(bank[AT.index(answers)], which) for bank in found]
    return f"{statistics.mean(each):.3f} ± {1.96 * statistics.stdev(each) / math.sqrt(len(each)):.3f}"


def table(banks: int = 20, learners: int = 1000, seed: int = 11) -> str:
    """Return the shares at each of AT as a Markdown table."""
    found = of_world(USUAL, banks, learners, seed)
    columns = ("right", "expected", "by_share")
    lines = [(str(answers), *(cell(found, answers, which) for which in columns)) for answers in AT]
    return markdown(("Answers", "right", "expected right", "right by share"), lines)


def others(banks: int = 20, learners: int = 1000, seed: int = 11) -> str:
    """Return a Markdown table for other learners and other banks, after 40 and after 60 answers."""
    lines = []
    for world in OTHERS:
        found = of_world(world, banks, learners, seed)
        columns = ((40, "expected"), (60, "expected"), (60, "by_share"))
        lines.append((world.name, *(cell(found, answers, which) for answers, which in columns)))
    return markdown(("Learners, bank", "expected right after 40", "after 60", "right by share after 60"), lines)


if __name__ == "__main__":
    print(table(), others(), sep="\n\n")
