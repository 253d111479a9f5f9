"""What a session adds to its questions' counts, and what learners' ranks say about questions; pure."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

THOUSAND = 1000
"""Ranks are stored as whole thousandths: sums of integers are the same in whatever order they are added, sums of floats
not."""
MOST_SLOTS = 14
"""Slots are numbered from 1 to this (questions/lint/rules/parts.py)."""

Whole = NDArray[np.int64]


@dataclass(frozen=True)
class FirstAnswer:
    """A first exposure: ``version`` is the one whose statistics it enters, ``slots`` are the chosen options."""

    version: int
    slots: tuple[int, ...]
    right: bool
    seconds: int


@dataclass
class VersionTally:
    """Integer counts for one version, as stored in ``questions.models.VersionStatistics``; ``options`` by slot."""

    second_bins: Sequence[int]
    n: int = 0
    right: int = 0
    by_seconds: list[int] = field(default_factory=list)
    options: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.by_seconds = self.by_seconds or [0] * (len(self.second_bins) + 1)

    def add(self, answer: FirstAnswer, sign: int) -> None:
        """Add one answer to this version; ``sign`` -1 removes it."""
        self.n += sign
        self.right += sign * answer.right
        if answer.seconds:
            self.by_seconds[bisect_left(self.second_bins, answer.seconds)] += sign
        for slot in answer.slots:
            self.options[slot] += sign


def add_session(
    tallies: dict[int, VersionTally], answers: Sequence[FirstAnswer], second_bins: Sequence[int], sign: int = 1
) -> None:
    """Add a session's first exposures to the tallies by version; ``sign`` -1 removes them."""
    for answer in answers:
        tallies.setdefault(answer.version, VersionTally(second_bins)).add(answer, sign)


@dataclass(frozen=True)
class RankedAnswers:
    """First exposures of an exam's items 0 .. items-1, one entry per answer.

    ``rank``: the learner's by the rest of their answers, 0 .. 1 (practice/measurement/calibration/rules/rests.py);
    ``mask``: the slots chosen.
    """

    item: NDArray[np.int32]
    right: NDArray[np.bool_]
    mask: Whole
    rank: NDArray[np.float64]
    items: int


@dataclass(frozen=True)
class RestCounts:
    """For one item, the sums over its answers' ranks in thousandths, named as in ``VersionStatistics``.

    ``options`` holds, by slot, the figures named as in ``OptionStatistics``.
    """

    rest_n: int
    rest_sum: int
    rest_squares: int
    rest_right_n: int
    rest_right_sum: int
    by_rest: list[list[int]]
    options: dict[int, dict[str, Any]]


def rest_bin(rest: Whole, bins: int) -> Whole:
    """The bins of ranks in thousandths; the last one includes its upper end."""
    return np.minimum(rest * bins // THOUSAND, bins - 1)


def rest_counts(answers: RankedAnswers, bins: int) -> list[RestCounts]:
    """The counts for each item.

    Ranks are rounded to thousandths first, so that sums are integers, whatever their order.
    """
    rest = np.rint(answers.rank * THOUSAND).astype(np.int64)
    sums = _Sums(answers.item, rest, answers.items, bins)
    every = sums.of(np.ones(len(rest), np.bool_))
    right = sums.of(answers.right)
    squares = np.bincount(answers.item, rest.astype(np.float64) ** 2, answers.items).astype(np.int64)
    slots = {slot: sums.of((answers.mask >> slot & 1).astype(np.bool_)) for slot in range(1, MOST_SLOTS + 1)}
    return [
        RestCounts(
            rest_n=int(every.n[item]),
            rest_sum=int(every.total[item]),
            rest_squares=int(squares[item]),
            rest_right_n=int(right.n[item]),
            rest_right_sum=int(right.total[item]),
            by_rest=np.stack([every.by_bin[item], right.by_bin[item]], axis=1).tolist(),
            options=dict(_options(slots, item)),
        )
        for item in range(answers.items)
    ]


@dataclass(frozen=True)
class _Part:
    """For a subset of the answers, by item: how many, the sum of ranks, and how many in each bin."""

    n: Whole
    total: Whole
    by_bin: Whole


@dataclass(frozen=True)
class _Sums:
    item: NDArray[np.int32]
    rest: Whole
    items: int
    bins: int

    def of(self, part: NDArray[np.bool_]) -> _Part:
        item, rest = self.item[part].astype(np.int64), self.rest[part]
        cell = item * self.bins + rest_bin(rest, self.bins)
        return _Part(
            np.bincount(item, minlength=self.items),
            np.bincount(item, rest, self.items).astype(np.int64),
            np.bincount(cell, minlength=self.items * self.bins).reshape(self.items, self.bins),
        )


def _options(slots: dict[int, _Part], item: int) -> Iterator[tuple[int, dict[str, Any]]]:
    for slot, part in slots.items():
        if part.n[item]:
            counts = {"rest_n": int(part.n[item]), "rest_sum": int(part.total[item])}
            yield slot, {**counts, "by_rest": part.by_bin[item].tolist()}
