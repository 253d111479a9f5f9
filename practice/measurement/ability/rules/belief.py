"""The belief about a learner's abilities, updated answer by answer; pure.

The learner is one Gaussian over few components, all in logits: the *general* ability, the *growth* of it by a first
answer, and for each domain met so far the *deviation* from the general ability. The full covariance is kept (eight rows
for six domains), because each answer informs all of them: docs/decisions/0007 shows on data what this is worth. An
answer is right with the chance of the three-parameter logistic model with a known guess rate (Birnbaum, in Lord &
Novick, Statistical Theories of Mental Test Scores, 1968)

P(right) = guess + (1 - guess) / (1 + exp(-slope * (ability - difficulty)))

and after each answer the Gaussian is replaced by the one with the same mean and covariance as the exact posterior:
assumed-density filtering (Opper, "A Bayesian approach to on-line learning", 1998; Minka, "Expectation propagation", UAI
2001). Only the ability that was asked for enters the response, so the exact moments need one integral in one dimension
(Gauss-Hermite), and the rest follows by linear regression on it, as in a Kalman filter. One pass, and the cost of an
answer does not depend on how many came before.

Abilities are on the metric of the calibration: the ability in one domain is N(0, 1) over the population.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Vector: TypeAlias = npt.NDArray[np.float64]
GENERAL, GROWTH, FIRST_DOMAIN = range(3)
"""The indices of the components; deviations follow in the order in which their domains were first seen."""

LABEL_OFFSET: Mapping[str, float] = {"easy": -0.3, "medium": 0.0, "hard": 0.3}
LABEL_DEVIATION = 0.95
"""An editor's label says little: the standard deviation of difficulties under one label, in logits."""

SIBLING_WEIGHTS: tuple[tuple[float, float], ...] = ((1.0, 0.0), (7.0, 0.1), (math.inf, 0.15))
"""The weight of a first answer if a sibling was seen fewer than this many days before.

Siblings share a scenario, and what was read about one helps with the other for as long as it is remembered: with full
weight, second answers put an ability 0.16 to 0.24 logits too high. These are the best weights for the case in which
siblings are most strongly related (``practice/measurement/laboratory/rules/siblings.py``, docs/benchmarks.md).
"""


@dataclass(frozen=True, slots=True)
class ItemBelief:
    """A question: difficulty N(difficulty, variance) in logits, slope per logit, and chance of a blind guess."""

    difficulty: float = 0.0
    variance: float = LABEL_DEVIATION**2
    slope: float = 1.0
    guess: float = 0.0


@dataclass(frozen=True, slots=True)
class Population:
    """The prior for anyone before the first answer, and how people change. Variances in logits squared.

    The defaults for the ability give a domain's ability N(0, 1) and two domains the correlation 0.7. ``growth`` is the
    variance of the growth per first answer around ``growth_mean``; the walks are variances added with each first
    answer. Time away halves what the general ability has above the prior mean in ``half_life`` days, and what is known
    about it in ``widening`` days (``at``).
    """

    mean: float = 0.0
    general: float = 0.7
    domain: float = 0.3
    growth_mean: float = 0.0
    growth: float = 0.0005**2
    general_walk: float = 0.00005
    domain_walk: float = 0.0001
    half_life: float = 360.0
    widening: float = 720.0


POPULATION = Population()


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer. ``days`` is its time in days from any fixed origin, never earlier than the answer before it.

    ``first`` is the flag stored on the item: a first exposure. Only these say anything about ability. ``weight`` is
    less than 1 if a sibling had been seen (``sibling_weight``).
    """

    days: float
    domain: int
    item: Hashable
    belief: ItemBelief
    right: bool
    first: bool = True
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class LearnerState:
    """The Gaussian after the answers so far.

    ``means`` has shape (2 + k,) and ``covariance`` (2 + k, 2 + k) for the k domains in ``places`` (domain -> place);
    neither is ever changed in place. ``firsts`` counts first exposures by domain; ``days`` is the time the state refers
    to, None before the first answer.
    """

    means: Vector
    covariance: Vector
    places: Mapping[int, int] = field(default_factory=dict)
    firsts: Mapping[int, int] = field(default_factory=dict)
    days: float | None = None

    @property
    def answers(self) -> int:
        return sum(self.firsts.values())


@dataclass(frozen=True, slots=True)
class Update:
    """The learner after an answer, and what the answer said about the question."""

    state: LearnerState
    belief: ItemBelief


def guess_rate(options: int, choose: int = 1) -> float:
    """The chance of a blind guess: 1 / C(options, choose), which is 1 / options if one is to be chosen.

    Raises ValueError if the choice is impossible.
    """
    if not 0 < choose <= options:
        raise ValueError("needs 0 < choose <= options")
    return 1 / math.comb(options, choose)


def label_belief(difficulty: str, options: int, choose: int = 1, centre: float = 0.0) -> ItemBelief:
    """The belief from an editor's label for a question that was never calibrated; an unknown label counts as "medium".

    ``centre`` is the difficulty of a medium question, on the ability metric.
    """
    offset = LABEL_OFFSET.get(difficulty, 0.0)
    return ItemBelief(centre + offset, LABEL_DEVIATION**2, 1.0, guess_rate(options, choose))


def sibling_weight(days: float) -> float:
    """The weight of a first answer this many days after a sibling was seen."""
    return next(weight for before, weight in SIBLING_WEIGHTS if days < before)


def newcomer(population: Population = POPULATION) -> LearnerState:
    """A learner about whom nothing is known."""
    means = np.array([population.mean, population.growth_mean])
    return LearnerState(means, np.diag([population.general, population.growth]))


def follow(answers: Iterable[GivenAnswer], population: Population = POPULATION) -> LearnerState:
    """A learner from the whole history in order. Deterministic: the same answers give the same state.

    Raises ValueError if an answer is older than the one before it.
    """
    state = newcomer(population)
    for answer in answers:
        state = update(state, answer, population).state
    return state


def update(state: LearnerState, answer: GivenAnswer, population: Population = POPULATION) -> Update:
    """The learner and the question after one answer.

    The learner is first moved to the time of the answer, then updated with it, then grows and walks one step. What it
    says about the question matters only where difficulties are learned along the way. An answer that isn't a first
    exposure only changes the time: if right, it may be memory alone, and counting only wrong ones would pull down
    everybody who forgets something (docs/decisions/0007). One that counts partly enters the likelihood with its weight
    as a power; it doesn't count as another answer, and causes no growth.
    """
    state = with_domain(at(state, answer.days, population), answer.domain, population)
    if not answer.first or not answer.weight:
        return Update(state, answer.belief)
    belief, place = answer.belief, state.places[answer.domain]
    gap, spread, toward = gap_to(state, place, belief)
    mean, variance = matched(gap, spread, belief, answer.right, answer.weight)
    moved, narrowed = (mean - gap) / spread, (variance - spread) / spread**2
    means = state.means + moved * toward
    covariance = state.covariance + narrowed * np.outer(toward, toward)
    firsts = state.firsts
    if answer.weight == 1:
        step(means, covariance, place, population)
        firsts = {**firsts, answer.domain: firsts.get(answer.domain, 0) + 1}
    learned = replace(
        belief,
        difficulty=belief.difficulty - moved * belief.variance,
        variance=belief.variance + narrowed * belief.variance**2,
    )
    return Update(LearnerState(means, covariance, state.places, firsts, state.days), learned)


def gap_to(state: LearnerState, place: int, belief: ItemBelief) -> tuple[float, float, Vector]:
    """Mean and variance of ability - difficulty, and the covariances of all components with the ability, (2 + k,)."""
    toward = state.covariance[GENERAL] + state.covariance[place]
    mean = float(state.means[GENERAL] + state.means[place]) - belief.difficulty
    return mean, float(toward[GENERAL] + toward[place]) + belief.variance, toward


def step(means: Vector, covariance: Vector, place: int, population: Population) -> None:
    """After one first answer: the general ability grows by the growth, and it and the answered domain take a small
    random step.

    The linear-Gaussian prediction step of a local linear trend (Harvey, Forecasting, Structural Time Series Models and
    the Kalman Filter, 1989, section 2.3). Changes both arrays in place; they are new and not yet shared.
    """
    means[GENERAL] += means[GROWTH]
    covariance[GENERAL] += covariance[GROWTH]
    covariance[:, GENERAL] += covariance[:, GROWTH]
    covariance[GENERAL, GENERAL] += population.general_walk
    covariance[place, place] += population.domain_walk


def at(state: LearnerState, days: float, population: Population = POPULATION) -> LearnerState:
    """The learner at a later time, with no answer since.

    Only the general ability changes. Its variance v moves to V - (V - v) 2^(-days away / ``widening``) toward the
    prior's V. Its mean keeps 2^(-days away / ``half_life``) of what it is above the population's mean, and loses twice
    the growth in the standard deviation of the learner's level (``level_variance``). So nobody gains by staying away:
    the upper end of the belief never rises. Raises ValueError for an earlier time.
    """
    if days == state.days:
        return state
    if state.days is None:
        return replace(state, days=days)
    if days < state.days:
        raise ValueError("answers must be in the order of their times")
    away = days - state.days
    variance, level = float(state.covariance[GENERAL, GENERAL]), level_variance(state)
    wider = max(0.0, population.general - variance) * (1 - 2.0 ** (-away / population.widening))
    surplus = max(0.0, float(state.means[GENERAL]) - population.mean)
    forgotten = surplus * (1 - 2.0 ** (-away / population.half_life))
    means, covariance = state.means.copy(), state.covariance.copy()
    means[GENERAL] -= forgotten + 2 * (math.sqrt(level + wider) - math.sqrt(level))
    covariance[GENERAL, GENERAL] += wider
    return replace(state, means=means, covariance=covariance, days=days)


def level_variance(state: LearnerState) -> float:
    """The variance of the mean ability over the domains seen so far."""
    weights = np.full(len(state.means), 1 / max(1, len(state.places)))
    weights[GENERAL], weights[GROWTH] = 1, 0
    return float(weights @ state.covariance @ weights)


def with_domain(state: LearnerState, domain: int, population: Population = POPULATION) -> LearnerState:
    """The same learner with a component for the domain: an unseen domain deviates by N(0, ``population.domain``)."""
    if domain in state.places:
        return state
    size = len(state.means)
    covariance = np.zeros((size + 1, size + 1))
    covariance[:size, :size] = state.covariance
    covariance[size, size] = population.domain
    places = {**state.places, domain: size}
    return replace(state, means=np.append(state.means, 0.0), covariance=covariance, places=places)


def chance(state: LearnerState, answer: GivenAnswer, population: Population = POPULATION) -> float:
    """The chance that this first exposure, not yet answered, will be right; ``answer.right`` is ignored."""
    state = with_domain(at(state, answer.days, population), answer.domain, population)
    gap, spread, _ = gap_to(state, state.places[answer.domain], answer.belief)
    sigma = math.sqrt(spread)
    return sum(weight * response(gap + sigma * node, answer.belief) for node, weight in NODES)


def response(gap: float, belief: ItemBelief) -> float:
    """The chance of a right answer at ability - difficulty = ``gap``; the belief's difficulty is not used."""
    return belief.guess + (1 - belief.guess) / (1 + math.exp(-belief.slope * gap))


def matched(mean: float, variance: float, belief: ItemBelief, right: bool, weight: float = 1.0) -> tuple[float, float]:
    """Mean and variance of the gap after an answer of this weight, from a gap N(mean, variance) before it.

    Nine nodes: off by less than 0.003 in the mean and 1% in the variance while slope times standard deviation is at
    most 2 (tests/practice/test_readiness.py).
    """
    sigma = math.sqrt(variance)
    total = first = second = 0.0
    for node, share in NODES:
        likelihood = response(mean + sigma * node, belief)
        if not right:
            likelihood = 1 - likelihood
        mass = share * (likelihood if weight == 1 else likelihood**weight)
        total += mass
        first += mass * node
        second += mass * node * node
    first /= total
    return mean + sigma * first, variance * (second / total - first * first)


def hermite(count: int) -> tuple[Vector, Vector]:
    """Nodes and weights, each of shape (count,), of the mean of f under N(0, 1): sum of weight * f(node)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(count)
    return nodes, weights / weights.sum()


NODES: tuple[tuple[float, float], ...] = tuple(zip(*(each.tolist() for each in hermite(9)), strict=True))
