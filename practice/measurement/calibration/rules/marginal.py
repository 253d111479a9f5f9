"""The marginal likelihood of item parameters, abilities integrated out; pure.

Model: P(right) = c + (1 - c) L, L = logistic(a theta + d), theta ~ N(0, 1); slope ``a`` and intercept ``d`` in logits,
the guessing chance ``c`` known and fixed. Formulas: Bock & Aitkin (1981), Psychometrika 46, 443-459 (E-step); Louis
(1982), JRSS B 44, 226-233 (observed information).

Learners are processed in blocks: a block is a matrix (learners of the block x 2 items), first all items wrong, then all
right, with a one for each answer, so that both sums of the E-step are matrix products. A block has about CELLS cells,
however many learners there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from practice.measurement.calibration.rules.triplets import Answers, Floats

CELLS = 2_000_000
"""16 MB a matrix, of which a handful exist at a time. With much smaller blocks, most time would be spent between the
matrix products."""
TERMS, NEGLIGIBLE = 12, 1e-5


@dataclass(frozen=True)
class Items:
    """Slope, intercept (logits) and fixed guessing chance; three arrays of shape (items,)."""

    a: Floats
    d: Floats
    c: Floats


@dataclass(frozen=True)
class Grid:
    """Abilities ``theta`` and the probabilities that stand for N(0, 1) on them; two arrays of shape (nodes,)."""

    theta: Floats
    weight: Floats


@dataclass(frozen=True)
class Block:
    """The answers of ``rows`` learners as positions in a flat matrix of rows x width cells."""

    rows: int
    width: int
    cells: NDArray[np.int64]

    def matrix(self) -> Floats:
        """The answers as ones, shape (rows, 2 items)."""
        flat = np.zeros(self.rows * self.width)
        flat[self.cells] = 1.0
        return flat.reshape(self.rows, self.width)


@dataclass(frozen=True)
class Expected:
    """For all learners who answered: expected ``wrong`` and ``right`` answers at each node, shape (items, nodes).

    ``learners``: how many of them are expected at each node, shape (nodes,); and the log-likelihood.
    """

    wrong: Floats
    right: Floats
    learners: Floats
    log_likelihood: float


def normal_grid(nodes: int = 61, reach: float = 6.0) -> Grid:
    """Equally spaced nodes on -reach .. reach with normalised standard normal weights.

    The trapezoidal rule converges exponentially for smooth integrands (Trefethen & Weideman 2014, SIAM Review 56,
    385-458), so a spacing of 0.2 is exact to six digits as long as no learner's ability is known better than to +-0.15.
    """
    theta = np.linspace(-reach, reach, nodes)
    weight = np.exp(-0.5 * theta**2)
    return Grid(theta, weight / weight.sum())


def blocks(answers: Answers) -> list[Block]:
    """The answers in blocks of learners; learners without an answer say nothing and are left out."""
    order = np.argsort(answers.learner, kind="stable")
    learner = np.unique(answers.learner[order], return_inverse=True)[1]
    column = answers.item[order].astype(np.int64) + answers.items * answers.correct[order]
    width = 2 * answers.items
    size = max(1, CELLS // max(1, width))
    total = int(learner[-1]) + 1 if len(learner) else 0
    found = []
    for first in range(0, total, size):
        start, stop = np.searchsorted(learner, (first, first + size))
        cells = (learner[start:stop] - first) * width + column[start:stop]
        found.append(Block(min(size, total - first), width, cells))
    return found


def e_step(parts: list[Block], items: Items, grid: Grid) -> Expected:
    """Expected answers at each node given the parameters, and the marginal log-likelihood (natural) of all answers."""
    table = _log_table(items, grid)
    counts = np.zeros_like(table)
    learners = np.zeros_like(grid.theta)
    log_likelihood = 0.0
    for matrix, posterior, part in _posteriors(parts, table, grid):
        counts += matrix.T @ posterior
        learners += posterior.sum(axis=0)
        log_likelihood += part
    wrong, right = np.split(counts, 2)
    return Expected(wrong, right, learners, log_likelihood)


def observed_information(
    parts: list[Block], items: Items, grid: Grid, common_slope: bool, full: bool, terms: int = TERMS
) -> Floats:
    """Minus the second derivatives of the marginal log-likelihood in (all a, all d), at any parameters.

    With ``common_slope`` the a's are one parameter. Shape (parameters, parameters) when ``full``, else that matrix's
    entries at each item's own (a, d) only, shape (items, 2, 2).

    Louis: complete-data information less the posterior covariance of the complete-data score, summed over learners. The
    covariance is summed over polynomials of degree 1, 2, .. orthonormal under each learner's posterior (Parseval), up
    to ``terms`` or until one adds less than NEGLIGIBLE of the first: a posterior is narrow compared with the scores, so
    terms fall off fast: two or three for a hundred answers per learner.
    """
    logistic, chance = curves(items, grid)
    scores = np.vstack([-logistic, (1 - chance) * logistic / chance])
    result = _Information(len(items.a), common_slope, full)
    counts = np.zeros_like(scores)
    for matrix, posterior, _ in _posteriors(parts, _log_table(items, grid), grid):
        counts += matrix.T @ posterior
        first = 0.0
        for weighted in islice(_orthonormal(posterior, grid.theta), terms):
            at_a = _own((weighted * grid.theta) @ scores.T, matrix)
            at_d = _own(weighted @ scores.T, matrix)
            result.take_covariance(at_a, at_d)
            size = float(np.vdot(at_a, at_a) + np.vdot(at_d, at_d))
            first = first or size
            if size <= NEGLIGIBLE * first:
                break
    wrong, right = np.split(counts, 2)
    curvature = logistic * (1 - logistic) * (wrong + right * (1 - items.c[:, None] / chance**2))
    result.add_complete(curvature @ grid.theta**2, curvature @ grid.theta, curvature.sum(axis=1))
    return result.value


def posteriors(parts: list[Block], items: Items, grid: Grid) -> Iterator[tuple[Floats, Floats]]:
    """For each block, its learners' posteriors (rows, nodes), and the likelihood of either answer to each item.

    The likelihood is that of all items wrong, then of all right: (2 items, nodes), the columns of the block's matrix.
    """
    table = _log_table(items, grid)
    likelihood = np.exp(table)
    for _, posterior, _ in _posteriors(parts, table, grid):
        yield posterior, likelihood


def curves(items: Items, grid: Grid) -> tuple[Floats, Floats]:
    """L and P at each node, shape (items, nodes) each."""
    eta = np.outer(items.a, grid.theta) + items.d[:, None]
    logistic = np.exp(-np.logaddexp(0.0, -eta))
    c = items.c[:, None]
    return logistic, c + (1 - c) * logistic


def _log_table(items: Items, grid: Grid) -> Floats:
    """log(1 - P) of all items, then log P of all; shape (2 items, nodes). Exact far out in both tails."""
    eta = np.outer(items.a, grid.theta) + items.d[:, None]
    with np.errstate(divide="ignore"):
        log_c, log_rest = np.log(items.c)[:, None], np.log1p(-items.c)[:, None]
    return np.vstack([log_rest - np.logaddexp(0.0, eta), np.logaddexp(log_c, log_rest - np.logaddexp(0.0, -eta))])


def _posteriors(parts: list[Block], table: Floats, grid: Grid) -> Iterator[tuple[Floats, Floats, float]]:
    """For each block its matrix, the posterior (rows, nodes) and its part of the log-likelihood."""
    for part in parts:
        matrix = part.matrix()
        joint = matrix @ table + np.log(grid.weight)
        top = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - top)
        total = posterior.sum(axis=1, keepdims=True)
        yield matrix, posterior / total, float((top + np.log(total)).sum())


def _own(by_cell: Floats, matrix: Floats) -> Floats:
    """From values for both verdicts, those of the verdict given, 0 where there was none; shape (rows, items).

    Overwrites ``by_cell``.
    """
    by_cell *= matrix
    wrong, right = np.split(by_cell, 2, axis=1)
    return wrong + right


def _orthonormal(posterior: Floats, theta: Floats) -> Iterator[Floats]:
    """posterior x phi_k for k = 1 .. TERMS, phi_k orthonormal polynomials under each row (Stieltjes' recurrence)."""
    before = np.zeros_like(posterior)
    now = np.ones_like(posterior)
    norm = np.zeros((len(posterior), 1))
    for _ in range(min(TERMS, len(theta) - 1)):
        weighted = posterior * now
        centre = (weighted * now) @ theta
        coming = (theta - centre[:, None]) * now - norm * before
        norm = np.sqrt((posterior * coming**2).sum(axis=1, keepdims=True))
        before, now = now, np.divide(coming, norm, out=np.zeros_like(coming), where=norm > 1e-9)
        yield posterior * now


class _Information:
    """The sum of observed_information, in its two shapes."""

    def __init__(self, items: int, common_slope: bool, full: bool) -> None:
        self.common_slope, self.full = common_slope, full
        slopes = 1 if common_slope else items
        self.value = np.zeros((slopes + items, slopes + items) if full else (items, 2, 2))

    def take_covariance(self, at_a: Floats, at_d: Floats) -> None:
        """Subtract the cross-products of one block and one polynomial; both of shape (rows, items)."""
        slopes = at_a.sum(axis=1, keepdims=True) if self.common_slope else at_a
        if self.full:
            both = np.hstack([slopes, at_d])
            self.value -= both.T @ both
            return
        self._add_to_blocks(*(-(x * y).sum(axis=0) for x, y in ((slopes, slopes), (slopes, at_d), (at_d, at_d))))

    def add_complete(self, aa: Floats, ad: Floats, dd: Floats) -> None:
        """Add the complete-data information of each item; three arrays of shape (items,)."""
        items = len(dd)
        if not self.full:
            self._add_to_blocks(aa.sum(keepdims=True) if self.common_slope else aa, ad, dd)
            return
        at_d = np.arange(len(self.value) - items, len(self.value))
        at_a = np.zeros(items, dtype=np.intp) if self.common_slope else np.arange(items)
        np.add.at(self.value, (at_a, at_a), aa)
        np.add.at(self.value, (at_a, at_d), ad)
        np.add.at(self.value, (at_d, at_a), ad)
        np.add.at(self.value, (at_d, at_d), dd)

    def _add_to_blocks(self, aa: Floats, ad: Floats, dd: Floats) -> None:
        self.value[:, 0, 0] += aa
        self.value[:, 0, 1] += ad
        self.value[:, 1, 0] += ad
        self.value[:, 1, 1] += dd
