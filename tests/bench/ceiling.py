"""How often any verdict can be right after so many answers to questions drawn at random by blueprint.

The verdict here is the best there is: true slopes, difficulties and population are known, and the abilities' posterior
is the exact one, by quadrature over the general ability and over each domain's given it. The verdict is the side of an
even chance on which the true chance to pass more probably lies, so by Bayes' rule no other reading of the same answers
is right more often. Learners, banks and *right* are those of ``checks.py``.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter

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


def order(count: int) -> list[int]:
    """The domains of a check's questions, as the site asks them."""
    found: list[int] = []
    for _ in range(count):
        domain = next_domain(SHARES, Counter(found), range(DOMAINS))
        assert domain is not None
        found.append(domain)
    return found


def side(likelihood: np.ndarray, curves: np.ndarray) -> np.ndarray:
    """The posterior chance that the expected score is above EVEN; log likelihoods of shape (n, 6, 81), curves (6, 81).

    Given the general ability the domains are independent, and the sum of their expected scores is taken as normal.
    """
    general = MEAN + DEVIATIONS * math.sqrt(CORRELATION)
    within = np.exp(-((ABILITIES - general[:, None]) ** 2) / 2 / (1 - CORRELATION))
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


def of_bank(rng: np.random.Generator, bank: Bank, learners: int) -> list[tuple[float, float]]:
    """At each of AT the share of right verdicts, and the share the posterior itself expects, which is less noisy."""
    abilities = make_abilities(rng, learners)
    passes = true_chances(bank, abilities) >= 0.5
    mock = make_mock(bank.all_beliefs)
    curves = np.array([np.interp(ABILITIES, GRID, mock.curves[domain]) for domain in range(DOMAINS)])
    items = rng.permuted(np.tile(np.arange(IN_DOMAIN), (learners, DOMAINS, 1)), axis=2)
    likelihood, given, found = np.zeros((learners, DOMAINS, len(ABILITIES))), [0] * DOMAINS, []
    for asked, domain in enumerate(order(AT[-1]), start=1):
        item = items[:, domain, given[domain]]
        given[domain] += 1
        right = rng.random(learners) < bank.chances(domain, item, abilities[:, domain])
        chances = bank.chances(domain, item[:, None], ABILITIES)
        likelihood[:, domain] += np.log(np.where(right[:, None], chances, 1 - chances))
        if asked in AT:
            chance = side(likelihood, curves)
            found.append((float(np.mean((chance >= 0.5) == passes)), float(np.maximum(chance, 1 - chance).mean())))
    return found


def table(banks: int = 20, learners: int = 1000, seed: int = 11) -> str:
    """Means over banks with their 95% intervals, as Markdown."""
    rng = np.random.default_rng(seed)
    found = [of_bank(rng, make_bank(rng), learners) for _ in range(banks)]
    lines = []
    for place, answers in enumerate(AT):
        cells = []
        for which in (0, 1):
            each = [bank[place][which] for bank in found]
            half = 1.96 * statistics.stdev(each) / math.sqrt(banks)
            cells.append(f"{statistics.mean(each):.3f} ± {half:.3f}")
        lines.append((str(answers), *cells))
    return markdown(("Answers", "right", "expected right"), lines)


if __name__ == "__main__":
    print(table())
