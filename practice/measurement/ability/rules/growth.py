"""How fast people improve by answering, estimated across learners; pure.

One learner's answers say too little: after 240 of them, the growth over these 240 is known to within about 0.65 logits,
so a prior wide enough to follow somebody who improves would add noise for everybody who doesn't. Across many learners
it is known well. So each learner is followed once with a vague growth prior; the information beyond the prior is one
estimate with its variance, and the estimates are combined as in a random-effects meta-analysis.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from practice.measurement.ability.rules.belief import GROWTH, POPULATION, GivenAnswer, LearnerState, Population, follow

VAGUE = 0.005**2
"""The prior variance of growth per answer used when following learners to estimate it."""
LEAST = POPULATION.growth
"""No learner's growth is taken to be known better than this."""
GAP_DAYS = 30
"""In this many days a twentieth of what is above the mean is assumed lost (a half-life of 360): too little to bend an
estimate of growth. After longer absences it would be estimated against that assumption."""
PRIOR_LEARNERS = 20
"""The weight, in learners, of assuming that nobody differs from the mean: three learners once gave a deviation of 1.3
logits."""
MEAN_VARIANCE = 0.002**2
"""The prior of the population's mean growth is N(0, this): a handful of learners moves it little."""


def with_growth(histories: Iterable[Iterable[GivenAnswer]], population: Population = POPULATION) -> Population:
    """The population with its growth estimated from whole histories, each in order; unchanged without any."""
    vague = replace(population, growth_mean=0.0, growth=VAGUE)
    return grown((follow(answers, vague) for answers in histories), population)


def grown(states: Iterable[LearnerState], population: Population = POPULATION) -> Population:
    """The same from learners who were followed with the prior N(0, VAGUE) of the growth.

    If a learner's posterior is N(m, v), the answers alone say N(e, s): 1/s = 1/v - 1/VAGUE, e = s m / v. The variance
    between learners is the moment estimate of DerSimonian & Laird (Controlled Clinical Trials 7, 1986, 177-188), shrunk
    as PRIOR_LEARNERS say; the mean is weighted by 1 / (s + variance between) and shrunk to 0 by its prior.
    """
    pairs = np.array([(state.means[GROWTH], state.covariance[GROWTH, GROWTH]) for state in states]).reshape(-1, 2)
    pairs = pairs[pairs[:, 1] < VAGUE * (1 - 1e-6)]
    if len(pairs) < 2:
        return population
    errors = 1 / (1 / pairs[:, 1] - 1 / VAGUE)
    estimates = errors * pairs[:, 0] / pairs[:, 1]
    weights = 1 / errors
    excess = float(weights @ (estimates - np.average(estimates, weights=weights)) ** 2) - (len(pairs) - 1)
    scale = float(weights.sum() - (weights @ weights) / weights.sum())
    between = max(0.0, excess / scale) * (len(pairs) - 1) / (len(pairs) - 1 + PRIOR_LEARNERS)
    weights = 1 / (errors + between)
    mean = float(weights @ estimates) / (float(weights.sum()) + 1 / MEAN_VARIANCE)
    return replace(population, growth_mean=mean, growth=max(LEAST, between))


def before_gap(answers: Sequence[GivenAnswer]) -> Sequence[GivenAnswer]:
    """The answers before the first absence of more than GAP_DAYS.

    The loss during an absence is an assumption (``belief.at``): growth would be invented to make up for errors in it.
    """
    pairs = enumerate(pairwise(answers), start=1)
    return answers[: next((n for n, (before, after) in pairs if after.days - before.days > GAP_DAYS), len(answers))]
