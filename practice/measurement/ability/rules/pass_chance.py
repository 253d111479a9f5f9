"""From the belief about a learner to the score of a fresh mock and the chance of passing it; pure.

A fresh mock draws its questions at random from those this learner hasn't seen, reserved units first (``Domain``). Given
the abilities, each answer in a domain is therefore right with the same chance, the mean of the response curve over what
can be drawn (including the uncertainty about difficulties), the answers are independent, and the domain's score is
exactly binomial. The score's distribution is the mixture of these over the learner's Gaussian: nine Gauss-Hermite nodes
over the one factor that the domains' abilities share, given it seven over each domain's ability, and the domains'
scores added by convolution. Nothing is approximated as normal except the learner; tests/practice/test_pass_chance.py
compares all of it with enumeration and simulation.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from practice.measurement.ability.rules.belief import (
    GENERAL,
    POPULATION,
    ItemBelief,
    LearnerState,
    Population,
    Vector,
    hermite,
    with_domain,
)
from practice.measurement.ability.rules.pace import thinned
from questions.catalogue.rules.shares import allocate

# 30 is half a mock: with so many answers the Brier score is 0.05 above that of an oracle who knows the abilities, after
# 60 it is 0.03 (docs/benchmarks.md). With fewer, a chance would mostly repeat what we believe about everybody.
NEEDED = 30
NEEDED_IN_DOMAIN = 3
"""With fewer first exposures than these, in total or in any domain of the exam, nothing is said."""

SHARE = 0.8
"""The coverage of the central predictive range."""
QUANTILE = 1.2815515655446004
"""The 90% quantile of N(0, 1): 80% of a Gaussian lie within this many standard deviations."""

PRACTISED = 20
GAIN_BY_MISS = 0.04
"""A block of practice has 20 questions; reading up on a miss is worth 0.04 logits in its domain. Not an estimate."""

GRID = np.linspace(-8.0, 8.0, 321)
OUTER_NODES, OUTER_WEIGHTS = hermite(9)
INNER_NODES, INNER_WEIGHTS = hermite(7)
SPREAD_NODES, SPREAD_WEIGHTS = hermite(7)
FACTOR_STEPS = 6
"""Over random covariances of four to eight domains, loadings are then within 0.001 of their limit in half of the cases
and within 0.04 in all. Each step is an eigendecomposition, and a prediction makes many."""


@dataclass(frozen=True, slots=True)
class Mock:
    """A fresh mock: questions by domain (from ``allocate``), the right answers needed to pass, and each domain's curve.

    A curve has shape (321,): at each ability in GRID, the chance of answering a question of the domain right.
    ``reached`` is how far this learner gets (``pace.reach``), None for the end.
    """

    counts: Mapping[int, int]
    needed: int
    curves: Mapping[int, Vector]
    reached: Vector | None = None

    @property
    def questions(self) -> int:
        """The number of questions in all domains."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class DomainOutlook:
    """One domain: the expected share of right answers among fresh questions, the central 80% range of the learner's
    true share, and how much a block of practice is expected to raise P(pass)."""

    domain: int
    share: float
    low: float
    high: float
    gain: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """The ``chance`` of reaching ``needed``; the next score's expectation and central 80% range, both ends included."""

    chance: float
    score: float
    low: int
    high: int
    domains: tuple[DomainOutlook, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """Not enough evidence: a drill of this many unseen questions would be enough, from these ``domains`` in the exam's
    proportions."""

    answers: int
    domains: tuple[int, ...]


def missing(firsts: Mapping[int, int], counts: Mapping[int, int]) -> Missing | None:
    """Why nothing is said yet, or None: below 30 first exposures, or below 3 in a domain of the exam.

    The drill is the shortest that is enough for both: from the domains that lack answers, or from all of them.
    """
    asked = {domain: count for domain, count in counts.items() if count}
    given = {domain: firsts.get(domain, 0) for domain in asked}
    lacking = [domain for domain in asked if given[domain] < NEEDED_IN_DOMAIN]
    if not lacking and sum(given.values()) >= NEEDED:
        return None
    drills = [Missing(_shortest(given, asked, among), tuple(among)) for among in (list(asked), lacking) if among]
    return min(drills, key=lambda drill: drill.answers)


def _shortest(given: Mapping[int, int], counts: Mapping[int, int], among: Sequence[int]) -> int:
    """The questions of the shortest drill of these domains after which something can be said."""
    weights = [(domain, Decimal(counts[domain])) for domain in among]
    size = max(1, NEEDED - sum(given.values()))
    while any(given[domain] + n < NEEDED_IN_DOMAIN for domain, n in allocate(weights, size).items()):
        size += 1
    return size


def fresh_curve(beliefs: Iterable[ItemBelief]) -> Vector:
    """The chance, at each ability of GRID, that a question drawn at random from these is answered right.

    Shape (321,). The uncertainty of each difficulty is integrated out. Raises ValueError for an empty bank.
    """
    curves = [item_curve(belief) for belief in beliefs]
    if not curves:
        raise ValueError("needs at least one question")
    return mean_curve(np.array(curves))


def item_curve(belief: ItemBelief) -> Vector:
    """The same for one question; shape (321,)."""
    gaps = GRID - belief.difficulty - math.sqrt(belief.variance) * SPREAD_NODES[:, None]
    chances: Vector = SPREAD_WEIGHTS @ (belief.guess + (1 - belief.guess) / (1 + np.exp(-belief.slope * gaps)))
    return chances


def mean_curve(curves: Vector) -> Vector:
    """The mean, shape (321,), of curves in rows, shape (n, 321)."""
    mean: Vector = curves.mean(axis=0)
    return mean


@dataclass(frozen=True, eq=False, slots=True)
class Domain:
    """What a mock can draw in a domain: the ids of its ``units``, which of them are ``reserved``, shape (n,), and the
    curve of a question drawn from each, shape (n, 321)."""

    units: Sequence[int]
    reserved: npt.NDArray[np.bool_]
    curves: Vector

    def drawn(self, count: int, met: Container[int]) -> Vector:
        """The curve of a question among ``count`` drawn for a learner who has seen these units; shape (321,).

        As ``practice/start/reads/picking.py`` draws: unseen reserved units first, then unseen public ones; if that
        isn't enough, seen ones are drawn, and the forecast treats them as unseen.
        """
        fresh = np.array([unit not in met for unit in self.units], dtype=bool)
        left, total = count, np.zeros_like(GRID)
        for among in (fresh & self.reserved, fresh & ~self.reserved):
            taken = min(left, int(among.sum()))
            if taken:
                total += taken * mean_curve(self.curves[among])
            left -= taken
        if left:
            total += left * mean_curve(self.curves)
        return total / count


def outlook(state: LearnerState, mock: Mock, population: Population = POPULATION) -> Outlook:
    """Everything we say about a learner's next fresh mock. ``state`` must refer to the day of the mock (``at``)."""
    domains = [domain for domain, count in mock.counts.items() if count]
    beliefs = abilities(state, domains, population)
    scores = score_distribution(beliefs, mock)
    chance = passing(scores, mock.needed)
    low, high = central_range(scores)
    each = tuple(_domain_outlook(domain, beliefs, mock, chance) for domain in domains)
    return Outlook(chance, float(scores @ np.arange(len(scores))), low, high, each)


def pass_chance(state: LearnerState, mock: Mock, population: Population = POPULATION) -> float:
    """P(pass) alone."""
    beliefs = abilities(state, [domain for domain, count in mock.counts.items() if count], population)
    return passing(score_distribution(beliefs, mock), mock.needed)


@dataclass(frozen=True, slots=True)
class Ability:
    """The ability in one domain given the common factor u: N(mean + u * loading, own^2), where u is N(0, 1)."""

    mean: float
    loading: float
    own: float

    @property
    def deviation(self) -> float:
        """The total standard deviation."""
        return math.hypot(self.loading, self.own)


def abilities(state: LearnerState, domains: Sequence[int], population: Population = POPULATION) -> dict[int, Ability]:
    """The abilities in these domains as one common factor plus a part of each domain's own."""
    for domain in domains:
        state = with_domain(state, domain, population)
    places = [state.places[domain] for domain in domains]
    pick = np.zeros((len(places), len(state.means)))
    pick[:, GENERAL] = 1
    pick[np.arange(len(places)), places] = 1
    means, covariance = pick @ state.means, pick @ state.covariance @ pick.T
    loadings = factor(covariance)
    own = np.sqrt(np.maximum(np.diag(covariance) - loadings**2, 0))
    return {domain: Ability(*map(float, each)) for domain, *each in zip(domains, means, loadings, own, strict=True)}


def factor(covariance: Vector) -> Vector:
    """Loadings l, shape (k,), of the one factor that explains the covariances best: l_i l_j near C_ij for i != j.

    Iterated principal axis factoring (Harman, Modern Factor Analysis, 1976, chapter 8), six steps from the row sums;
    exact where one factor explains all, as before the first answer. A single domain needs no factor.
    """
    variances = np.diag(covariance)
    if len(covariance) == 1:
        return np.zeros(1)
    common = np.array(covariance.mean(axis=1))
    for _ in range(FACTOR_STEPS):
        values, vectors = np.linalg.eigh(covariance - np.diag(variances - np.clip(common, 0, variances)))
        loadings = vectors[:, -1] * math.sqrt(max(0.0, float(values[-1])))
        common = loadings**2
    limit = np.sqrt(variances)
    return np.clip(loadings * (1 if loadings.sum() >= 0 else -1), -limit, limit)


def score_distribution(beliefs: Mapping[int, Ability], mock: Mock) -> Vector:
    """The chance of each score from 0 to the number of questions; shape (questions + 1,), sums to 1."""
    domains = [domain_scores(belief, mock.curves[domain], mock.counts[domain]) for domain, belief in beliefs.items()]
    total = np.zeros(mock.questions + 1)
    for node, weight in enumerate(OUTER_WEIGHTS):
        scores = np.ones(1)
        for each in domains:
            scores = np.convolve(scores, each[node])
        total += weight * scores
    return thinned(total, mock.reached)


def domain_scores(belief: Ability, curve: Vector, count: int) -> Vector:
    """The chance of each score in one domain, given each outer node; shape (9, count + 1), rows sum to 1."""
    nodes = belief.mean + belief.loading * OUTER_NODES[:, None] + belief.own * INNER_NODES
    right = np.interp(nodes, GRID, curve)[:, :, None]
    score = np.arange(count + 1)
    ways = np.array([math.comb(count, each) for each in range(count + 1)], dtype=float)
    binomial = ways * right**score * (1 - right) ** (count - score)
    mixed: Vector = INNER_WEIGHTS @ binomial
    return mixed


def passing(scores: Vector, needed: int) -> float:
    """The chance of scoring at least ``needed``."""
    return float(scores[needed:].sum())


def central_range(scores: Vector, share: float = SHARE) -> tuple[int, int]:
    """The range of scores, both ends included, that leaves out as close as possible to (1 - share) / 2 at each end.

    Closest, not at most: scores are whole numbers, and rounding both ends outward would make an 80% range contain 84%.
    """
    tail = (1 - share) / 2
    below = np.concatenate([[0.0], np.cumsum(scores)[:-1]])
    from_below, from_above = np.abs(below - tail), np.abs(1 - below - scores - tail)
    return int(len(scores) - 1 - np.argmin(from_below[::-1])), int(np.argmin(from_above))


def fresh_share(belief: Ability, curve: Vector) -> tuple[float, float, float]:
    """The expected share of right answers among fresh questions, and the ends of its central 80% range."""
    abilities = belief.mean + belief.deviation * OUTER_NODES
    share = float(OUTER_WEIGHTS @ np.interp(abilities, GRID, curve))
    reach = QUANTILE * belief.deviation
    low, high = np.interp([belief.mean - reach, belief.mean + reach], GRID, curve)
    return share, float(low), float(high)


def _domain_outlook(domain: int, beliefs: Mapping[int, Ability], mock: Mock, chance: float) -> DomainOutlook:
    """The outlook for a domain: the misses expected in a block of practice, each worth GAIN_BY_MISS logits, decide its
    effect on P(pass)."""
    belief = beliefs[domain]
    share, low, high = fresh_share(belief, mock.curves[domain])
    better = Ability(belief.mean + PRACTISED * (1 - share) * GAIN_BY_MISS, belief.loading, belief.own)
    gain = passing(score_distribution({**beliefs, domain: better}, mock), mock.needed) - chance
    return DomainOutlook(domain, share, low, high, gain)
