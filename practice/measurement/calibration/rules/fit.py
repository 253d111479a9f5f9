"""Item parameters by marginal maximum likelihood, or the posterior mode under priors; pure.

Model and likelihood: marginal.py beside it. Rasch (one common slope, estimated) and 2PL, both slope-intercept on the
ability metric N(0, 1). EM as in Bock & Aitkin (1981), Psychometrika 46, 443-459; hierarchical priors as in Mislevy
(1986), Psychometrika 51, 177-195. Accelerated by parameter expansion where there is no prior (PX-EM: Liu, Rubin & Wu
1998, Biometrika 85, 755-770) and by SQUAREM (Varadhan & Roland 2008, Scandinavian Journal of Statistics 35, 335-353).
Where that is slow, Newton's method on the observed information ends it (climb.py beside it).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from practice.measurement.calibration.rules.climb import Hill, climb
from practice.measurement.calibration.rules.marginal import (
    Block,
    Expected,
    Grid,
    Items,
    blocks,
    curves,
    e_step,
    normal_grid,
    observed_information,
)
from practice.measurement.calibration.rules.triplets import Answers, Bools, Floats, Ints

Model = Literal["rasch", "2pl"]

SLOPE_LIMIT, INTERCEPT_LIMIT = 10.0, 40.0  # beyond any real question: an estimate at this limit has no maximum inside
LOWEST_SLOPE_UNDER_PRIOR = 0.01  # the prior is on log a, so a slope never reaches 0
TOLERANCE = 1e-6  # thousands of times below any standard error, so it doesn't matter where the fit stopped
CYCLES = 500  # the limit for answers without a maximum; the result then says that it didn't converge
CYCLES_BEFORE_NEWTON = 8
"""SQUAREM cycles, three EM steps each: real answers need about as many. If few learners gave most answers, EM steps
keep shrinking without converging, and a Newton step, at the price of four of them, finishes it."""
TERMS_TO_CLIMB = 4
"""Terms of the information's sum in a Newton step, whose direction needn't be exact."""
SCORING_STEPS = 8
FULL_INFORMATION_ITEMS = 600


@dataclass(frozen=True)
class Prior:
    """d of an item ~ N(mean of its group, d_sd), that mean ~ N(group_mean, group_sd); log a ~ N(log_a_mean, log_a_sd).

    ``group`` gives each item's group (the editor's difficulty label), ``group_mean`` each group's expected d in logits.
    The group means are estimated along with the items. The mode is of (log a, d); under Rasch the single slope has one
    such prior.
    """

    group: Ints
    group_mean: Floats
    group_sd: float = 1.0
    d_sd: float = 0.95
    log_a_mean: float = 0.0
    log_a_sd: float = 0.3


@dataclass(frozen=True)
class Calibration:
    """Estimates by item, arrays of shape (items,); b = -d / a in units of the abilities' standard deviation.

    An item that everybody got right (or wrong) has no maximum: d is inf (or -inf), its slope nan under 2PL. An item
    that nobody answered is nan throughout. If an estimate reaches a search limit (|a| 10, |d| 40), the answers have no
    maximum inside. In all these cases the standard errors are inf. ``steps`` counts EM steps.
    """

    a: Floats
    d: Floats
    b: Floats
    se_a: Floats
    se_d: Floats
    n: Ints
    log_likelihood: float
    steps: int
    converged: bool


@dataclass(frozen=True)
class _Problem:
    common_slope: bool
    c: Floats
    prior: Prior | None
    parts: list[Block]
    grid: Grid

    def items(self, x: Floats) -> Items:
        """The parameter vector (slopes, then intercepts) as items."""
        count = len(self.c)
        return Items(np.broadcast_to(x[:-count], count) if self.common_slope else x[:count], x[-count:], self.c)


def wide_prior(items: int) -> Prior:
    """All items in one group with unknown mean: for files without labels."""
    return Prior(np.zeros(items, dtype=np.int32), np.zeros(1), group_sd=2.0, d_sd=1.5, log_a_sd=0.5)


def calibrate(
    answers: Answers, model: Model, prior: Prior | None = None, guessing: Floats | None = None, nodes: int = 61
) -> Calibration:
    """Estimate the items of ``answers``; ``guessing`` is each item's fixed chance c in 0 <= c < 1 (default 0).

    Standard errors come from the inverse of the observed information of the marginal likelihood (plus the prior's
    precision, given the group means), over all items at once; beyond FULL_INFORMATION_ITEMS items, from each item's own
    block, which ignores what the items share. Raises ValueError without any answer or with an impossible guessing.
    """
    c = np.zeros(answers.items) if guessing is None else guessing.astype(np.float64)
    if not len(answers):
        raise ValueError("needs at least one answer")
    if len(c) != answers.items or not ((c >= 0) & (c < 1)).all():
        raise ValueError("needs one guessing chance from 0 to below 1 for each item")
    n, right = answers.counts()
    kept = (right > 0) & (right < n) if prior is None else np.ones(answers.items, dtype=np.bool_)
    inner = _subset(answers, kept)
    problem = _Problem(model == "rasch", c[kept], prior, blocks(inner), normal_grid(nodes))
    x, log_likelihood, steps, converged = _maximise(problem, _start(n[kept], right[kept], problem))
    se_a, se_d = _standard_errors(problem, x)
    items = problem.items(x)
    common = float(x[0]) if problem.common_slope and kept.any() else math.nan
    a = _spread(kept, items.a, np.where(n > 0, common, math.nan))
    d = _spread(kept, items.d, _limit(n, right))
    infinite = np.full(answers.items, math.inf)
    certain = float(n[(right == 0) & ~kept] @ np.log1p(-c[(right == 0) & ~kept]))
    return Calibration(
        a=a,
        d=d,
        b=np.divide(-d, a, out=np.full(answers.items, math.nan), where=a != 0),
        se_a=_spread(kept, se_a, infinite),
        se_d=_spread(kept, se_d, infinite),
        n=n.astype(np.int32),
        log_likelihood=log_likelihood + certain,
        steps=steps,
        converged=converged,
    )


def _subset(answers: Answers, kept: Bools) -> Answers:
    """The answers to the kept items, renumbered."""
    if kept.all():
        return answers
    number = np.cumsum(kept, dtype=np.int32) - 1
    chosen = kept[answers.item]
    return replace(
        answers,
        learner=answers.learner[chosen],
        item=number[answers.item[chosen]].astype(np.int32),
        correct=answers.correct[chosen],
        items=int(kept.sum()),
    )


def _spread(kept: Bools, values: Floats, others: Floats) -> Floats:
    """The kept items' values, in place among the others'."""
    result = others.astype(np.float64)
    result[kept] = values
    return result


def _limit(n: Floats, right: Floats) -> Floats:
    """Where d goes without a maximum: inf if all are right, -inf if none is, nan without answers."""
    return np.where(n == 0, math.nan, np.where(right == n, math.inf, -math.inf))


def _start(n: Floats, right: Floats, problem: _Problem) -> Floats:
    """Slope 1 and the intercepts that give the facilities at slope 1 (probit approximation: logit x 1.16)."""
    share = (right + 0.5) / (n + 1)
    above = np.clip((share - problem.c) / (1 - problem.c), 0.02, 0.98)
    slopes = np.ones(min(1, len(n)) if problem.common_slope else len(n))
    return np.concatenate([slopes, 1.16 * np.log(above / (1 - above))])


def _maximise(problem: _Problem, x: Floats) -> tuple[Floats, float, int, bool]:
    """SQUAREM, scheme S3, prevented from going downhill: parameters, log-likelihood, EM steps, whether it converged.

    Converged: an EM step moves no parameter by more than TOLERANCE, or Newton's method has nothing left to gain.
    """
    if not len(x):
        return x, 0.0, 0, True
    steps = 0
    converged = False
    for cycle in range(CYCLES):
        if cycle == CYCLES_BEFORE_NEWTON and len(problem.c) <= FULL_INFORMATION_ITEMS:
            x, taken, converged = climb(_hill(problem), x)
            steps += taken
            if converged:
                break
        x1, _ = _em_step(problem, x)
        x2, height = _em_step(problem, x1)
        steps += 2
        first, second = x1 - x, x2 - x1
        if np.abs(second).max() < TOLERANCE:
            x, converged = x2, True
            break
        bend = np.linalg.norm(second - first)
        length = max(1.0, float(np.linalg.norm(first) / bend)) if bend > 0 else 1.0
        leap = _within_limits(problem, x + 2 * length * first + length**2 * (second - first))
        x3, height_there = _em_step(problem, leap)
        steps += 1
        x = x3 if height_there >= height else x2
    return x, e_step(problem.parts, problem.items(x), problem.grid).log_likelihood, steps, converged


def _em_step(problem: _Problem, x: Floats) -> tuple[Floats, float]:
    """One EM step from x, and the value of the maximised function (log-likelihood plus log prior) at x."""
    expected = e_step(problem.parts, problem.items(x), problem.grid)
    height = expected.log_likelihood + _log_prior(problem, x)
    centre = _centres(problem.prior, x[-len(problem.c) :])
    for _ in range(SCORING_STEPS):
        step = _scoring_step(problem, x, expected, centre)
        x = _within_limits(problem, x + step)
        if np.abs(step).max() < TOLERANCE / 10:
            break
    if problem.prior is None and _free(problem, x).all():
        x = _within_limits(problem, _standardised(problem, x, expected.learners))
    return x, height


def _standardised(problem: _Problem, x: Floats, learners: Floats) -> Floats:
    """PX-EM: let the abilities have any mean and variance in the M-step, then put that into a and d.

    Plain EM is slowest for their mean and scale, and slower still the more answers a learner gave.
    """
    theta, total = problem.grid.theta, learners.sum()
    mean = float(learners @ theta / total)
    deviation = math.sqrt(float(learners @ theta**2 / total) - mean**2)
    count = len(problem.c)
    return np.concatenate([x[:-count] * deviation, x[-count:] + problem.items(x).a * mean])


def _scoring_step(problem: _Problem, x: Floats, expected: Expected, centre: Floats) -> Floats:
    """A step of Fisher scoring towards the parameters that the expected answers make most likely, at most 1 each."""
    theta = problem.grid.theta
    logistic, chance = curves(problem.items(x), problem.grid)
    weight = (expected.wrong + expected.right) * (1 - chance) * logistic**2 / chance
    aa, ad, dd = weight @ theta**2, weight @ theta, weight.sum(axis=1)
    if problem.common_slope:
        aa = aa.sum(keepdims=True)
    if problem.prior is not None:
        aa = aa + 1 / (problem.prior.log_a_sd * x[: len(aa)]) ** 2
        dd = dd + 1 / problem.prior.d_sd**2
    to_a, to_d = np.split(_gradient(problem, x, expected, centre), [len(aa)])
    return np.clip(_solve(problem.common_slope, to_a, to_d, aa, ad, dd), -1.0, 1.0)


def _gradient(problem: _Problem, x: Floats, expected: Expected, centre: Floats) -> Floats:
    """The gradient in x, given the answers expected at x (Fisher's identity) or where an EM step began."""
    items, theta = problem.items(x), problem.grid.theta
    logistic, chance = curves(items, problem.grid)
    slope = (expected.right - (expected.wrong + expected.right) * chance) * logistic / chance
    to_a, to_d = slope @ theta, slope.sum(axis=1)
    if problem.common_slope:
        to_a = to_a.sum(keepdims=True)
    if problem.prior is not None:
        a, prior = x[: len(to_a)], problem.prior
        to_a = to_a - (np.log(a) - prior.log_a_mean) / (prior.log_a_sd**2 * a)
        to_d = to_d + (centre - items.d) / prior.d_sd**2
    return np.concatenate([to_a, to_d])


def _hill(problem: _Problem) -> Hill:
    """The function to maximise, for Newton's method."""

    def slope(x: Floats) -> tuple[float, Floats]:
        expected = e_step(problem.parts, problem.items(x), problem.grid)
        centre = _centres(problem.prior, x[-len(problem.c) :])
        return expected.log_likelihood + _log_prior(problem, x), _gradient(problem, x, expected, centre)

    def curvature(x: Floats) -> Floats:
        items = problem.items(x)
        found = observed_information(problem.parts, items, problem.grid, problem.common_slope, True, TERMS_TO_CLIMB)
        return found + np.diag(_prior_precision(problem, x)) - _shared_centres(problem)

    return Hill(slope, curvature, partial(_within_limits, problem))


def _shared_centres(problem: _Problem) -> Floats:
    """The part of the prior's precision that a group's d's lose because the group's mean moves with them."""
    count, prior = len(problem.c), problem.prior
    slopes = 1 if problem.common_slope else count
    lost = np.zeros((slopes + count, slopes + count))
    if prior is not None:
        size = np.bincount(prior.group, minlength=len(prior.group_mean))
        own = prior.d_sd**-2
        each = own**2 / (own * size + prior.group_sd**-2)
        together = prior.group[:, None] == prior.group
        lost[slopes:, slopes:] = together * each[prior.group][:, None]
    return lost


def _solve(common_slope: bool, to_a: Floats, to_d: Floats, aa: Floats, ad: Floats, dd: Floats) -> Floats:
    """Solve [[aa, ad], [ad, dd]] (step_a, step_d) = (to_a, to_d): each item's own system, or one with a common a."""
    dd = np.maximum(dd, np.finfo(np.float64).tiny)
    lost, lost_slope = ad * ad / dd, ad * to_d / dd
    if common_slope:
        lost, lost_slope = lost.sum(keepdims=True), lost_slope.sum(keepdims=True)
    left = np.maximum(aa - lost, 1e-12 * aa + np.finfo(np.float64).tiny)
    step_a = (to_a - lost_slope) / left
    return np.concatenate([step_a, (to_d - ad * step_a) / dd])


def _within_limits(problem: _Problem, x: Floats) -> Floats:
    low = np.full(len(x), -INTERCEPT_LIMIT)
    low[: -len(problem.c)] = -SLOPE_LIMIT if problem.prior is None else LOWEST_SLOPE_UNDER_PRIOR
    high = np.full(len(x), INTERCEPT_LIMIT)
    high[: -len(problem.c)] = SLOPE_LIMIT
    return np.clip(x, low, high)


def _centres(prior: Prior | None, d: Floats) -> Floats:
    """Each item's expected d: its group's mean, which is itself the mode given the items' d (normal-normal)."""
    if prior is None:
        return np.zeros_like(d)
    size = np.bincount(prior.group, minlength=len(prior.group_mean))
    total = np.bincount(prior.group, weights=d, minlength=len(prior.group_mean))
    own, above = prior.d_sd**-2, prior.group_sd**-2
    mean: Floats = (own * total + above * prior.group_mean) / (own * size + above)
    return mean[prior.group]


def _log_prior(problem: _Problem, x: Floats) -> float:
    """The log prior at its best group means, up to a constant."""
    prior = problem.prior
    if prior is None:
        return 0.0
    a, d = x[: -len(problem.c)], x[-len(problem.c) :]
    centre = _centres(prior, d)
    mean = np.array(prior.group_mean, dtype=np.float64)
    mean[prior.group] = centre
    slopes = (np.log(a) - prior.log_a_mean) / prior.log_a_sd
    own, above = (d - centre) / prior.d_sd, (mean - prior.group_mean) / prior.group_sd
    return -0.5 * float(slopes @ slopes + own @ own + above @ above)


def _standard_errors(problem: _Problem, x: Floats) -> tuple[Floats, Floats]:
    """Standard errors of a and d by item; inf at a limit, nan if the information isn't positive (not converged)."""
    count = len(problem.c)
    if not count:
        return np.empty(0), np.empty(0)
    free = _free(problem, x)
    full = count <= FULL_INFORMATION_ITEMS
    information = observed_information(problem.parts, problem.items(x), problem.grid, problem.common_slope, full)
    precision = _prior_precision(problem, x)
    if full:
        variance = _variances(information + np.diag(precision), free)
    else:
        variance = _variances_by_block(information, precision, problem.common_slope)
    with np.errstate(invalid="ignore"):
        se = np.where(free, np.sqrt(variance), math.inf)
    return np.broadcast_to(se[:-count], count), se[-count:]


def _free(problem: _Problem, x: Floats) -> Bools:
    """Which parameters the data determine: those of items whose a and d are both within the limits."""
    count = len(problem.c)
    a_free, d_free = np.abs(x[:-count]) < SLOPE_LIMIT - 1e-6, np.abs(x[-count:]) < INTERCEPT_LIMIT - 1e-6
    if problem.common_slope:
        return np.concatenate([a_free, d_free])
    return np.tile(a_free & d_free, 2)


def _prior_precision(problem: _Problem, x: Floats) -> Floats:
    """Minus the second derivatives of the log prior, the group means held; shape of x."""
    prior = problem.prior
    if prior is None:
        return np.zeros_like(x)
    a = x[: -len(problem.c)]
    at_a = (1 - np.log(a) + prior.log_a_mean) / (prior.log_a_sd * a) ** 2
    return np.concatenate([at_a, np.full(len(problem.c), prior.d_sd**-2)])


def _variances(information: Floats, free: Bools) -> Floats:
    """The diagonal of the inverse over the free parameters; nan elsewhere, or if there is no inverse."""
    result = np.full(len(information), math.nan)
    try:
        result[free] = np.diag(np.linalg.inv(information[np.ix_(free, free)]))
    except np.linalg.LinAlgError:
        return result
    return np.where(result > 0, result, math.nan)


def _variances_by_block(information: Floats, precision: Floats, common_slope: bool) -> Floats:
    """The same from each item's own 2 x 2 block; a common slope's from the information that all intercepts leave it."""
    count = len(information)
    aa, ad, dd = (
        information[:, 0, 0] + precision[:-count],
        information[:, 0, 1],
        information[:, 1, 1] + precision[-count:],
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        of_d = 1 / (dd - ad**2 / aa)
        of_a = 1 / (aa[:1] - (ad**2 / dd).sum()) if common_slope else 1 / (aa - ad**2 / dd)
    variance = np.concatenate([of_a, of_d])
    return np.where(variance > 0, variance, math.nan)
