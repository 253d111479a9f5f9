"""Classical item statistics from answers, complete or sparse; pure.

**Score.** A learner's score is the mean of (right - facility of the item) over the items they answered; the rest score
for an item is the same mean over their other answered items. On a complete matrix both are linear in the number right,
so that every correlation equals the textbook's; on a sparse one nobody scores low for having had hard items. Learners
with a single answer have no rest score and aren't in any correlation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from practice.measurement.calibration.rules.triplets import Answers, Floats, Ints, counted

Z95 = 1.959963984540054
MISKEY_SHARE = 0.05
"""A distractor that fewer choose has too few answers: one strong learner's slip would make it look like the key."""


@dataclass(frozen=True)
class ItemStatistics:
    """By item, arrays of shape (items,); nan where undefined (no answers, no variance).

    ``facility``: share right, with its 95% Wilson interval ``low`` .. ``high``; ``item_total``: correlation with the
    score; ``item_rest``: corrected, with the rest score.
    """

    facility: Floats
    low: Floats
    high: Floats
    item_total: Floats
    item_rest: Floats


@dataclass(frozen=True)
class Choices:
    """Which options were chosen: option ``option[k]`` in answer ``answer[k]`` (its place in the Answers).

    ``options`` names each item's options and ``keys`` its right ones. A multi-select answer has several entries, a
    blank one has none.
    """

    answer: Ints
    option: Ints
    options: tuple[tuple[str, ...], ...]
    keys: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class OptionStatistics:
    """One option: ``share`` of the item's answers that include it, correlation of including it with the rest score."""

    item: int
    option: str
    is_key: bool
    share: float
    option_rest: float


def item_statistics(answers: Answers) -> ItemStatistics:
    """Facility, item-total and corrected item-rest correlation (Lord & Novick 1968, sections 15.2 and 15.7)."""
    n, right = answers.counts()
    facility = _ratio(right, n)
    low, high = wilson(right, n)
    total, rest = _scores(answers, facility)
    kept = ~np.isnan(rest)
    item, correct = answers.item[kept], answers.correct[kept].astype(np.float64)
    return ItemStatistics(
        facility=facility,
        low=low,
        high=high,
        item_total=_correlations(item, correct, total[kept], answers.items),
        item_rest=_correlations(item, correct, rest[kept], answers.items),
    )


def wilson(right: Floats, n: Floats) -> tuple[Floats, Floats]:
    """The 95% score interval of a share (Wilson 1927, JASA 22, 209-212), which contains the share; nan where n is 0."""
    p = _ratio(right, n)
    squared = _ratio(np.full_like(n, Z95**2), n)
    centre = (p + squared / 2) / (1 + squared)
    half = Z95 * np.sqrt(_ratio(p * (1 - p), n) + _ratio(squared, 4 * n)) / (1 + squared)
    return np.minimum(np.maximum(centre - half, 0.0), p), np.maximum(np.minimum(centre + half, 1.0), p)


def cronbach_alpha(answers: Answers) -> float | None:
    """k / (k - 1) (1 - sum of item variances / variance of the number right); Cronbach 1951, Psychometrika 16, 297-334.

    None where it is undefined: a matrix with blanks (the total would mix the tests people took with how well they did),
    fewer than two items, or everybody with the same number right.
    """
    if answers.items < 2 or not answers.is_complete:
        return None
    _, right = answers.counts()
    p = right / answers.learners
    totals = np.bincount(answers.learner[answers.correct], minlength=answers.learners)
    variance = float(totals.var())
    if variance == 0:
        return None
    return answers.items / (answers.items - 1) * (1 - float((p * (1 - p)).sum()) / variance)


def option_statistics(answers: Answers, choices: Choices) -> list[OptionStatistics]:
    """Every option of every item in order, including those never chosen.

    The correlation is over the learners who answered the item and at least one other:
    r = (mean rest of those who chose it - mean rest) / sd(rest) x sqrt(p / (1 - p)), the point-biserial.
    """
    n, right = answers.counts()
    _, rest = _scores(answers, _ratio(right, n))
    first = np.concatenate([[0], np.cumsum([len(names) for names in choices.options])]).astype(np.int64)
    place = first[answers.item[choices.answer]] + choices.option
    kept = ~np.isnan(rest)
    size, mean, spread = _moments(answers.item[kept], rest[kept], answers.items)
    owner = np.repeat(np.arange(answers.items), np.diff(first))
    picked = kept[choices.answer]
    chosen = counted(place[picked], len(owner))
    their_rest = _ratio(_sums(place[picked], rest[choices.answer[picked]], len(owner)), chosen)
    p = _ratio(chosen, size[owner])
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (their_rest - mean[owner]) / spread[owner] * np.sqrt(p / (1 - p))
    share = _ratio(counted(place, len(owner)), n[owner])
    names = [(item, name) for item, each in enumerate(choices.options) for name in each]
    return [
        OptionStatistics(item, name, name in choices.keys[item], float(share[k]), float(r[k] if p[k] < 1 else math.nan))
        for k, (item, name) in enumerate(names)
    ]


def miskeyed(options: list[OptionStatistics]) -> list[OptionStatistics]:
    """The distractors that look like the key: chosen by at least 5% and correlating better with the rest than the key.

    If several options are keyed, the one that correlates least is compared. Undefined correlations aren't flagged.
    """
    weakest: dict[int, float] = {}
    for each in options:
        if each.is_key and not math.isnan(each.option_rest):
            weakest[each.item] = min(each.option_rest, weakest.get(each.item, math.inf))
    return [
        each
        for each in options
        if not each.is_key and each.share >= MISKEY_SHARE and each.option_rest > weakest.get(each.item, math.inf)
    ]


def _scores(answers: Answers, facility: Floats) -> tuple[Floats, Floats]:
    """For each answer, its learner's score and rest score; a learner's only answer has rest score nan."""
    gained = answers.correct - facility[answers.item]
    sums = _sums(answers.learner, gained, answers.learners)[answers.learner]
    counts = counted(answers.learner, answers.learners)[answers.learner]
    return sums / counts, _ratio(sums - gained, counts - 1)


def _ratio(above: Floats, below: Floats) -> Floats:
    """nan where below is 0."""
    return np.divide(above, below, out=np.full(below.shape, math.nan), where=below != 0)


def _sums(group: NDArray[np.integer], values: Floats, groups: int) -> Floats:
    return np.bincount(group, weights=values, minlength=groups).astype(np.float64)


def _moments(group: NDArray[np.integer], values: Floats, groups: int) -> tuple[Floats, Floats, Floats]:
    """Size, mean and population standard deviation by group (0 where only rounding differs)."""
    size = counted(group, groups)
    mean = _ratio(_sums(group, values, groups), size)
    spread = np.sqrt(_ratio(_sums(group, (values - mean[group]) ** 2, groups), size))
    return size, mean, np.where(spread < 1e-9, 0.0, spread)


def _correlations(group: NDArray[np.integer], x: Floats, y: Floats, groups: int) -> Floats:
    """Pearson's r of x and y by group; nan where either does not vary."""
    size, mean_x, spread_x = _moments(group, x, groups)
    _, mean_y, spread_y = _moments(group, y, groups)
    products = _sums(group, (x - mean_x[group]) * (y - mean_y[group]), groups)
    return _ratio(_ratio(products, size), spread_x * spread_y)
