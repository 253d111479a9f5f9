"""Answers as triplets (learner, item, right or wrong), as calibration and item statistics read them; pure.

What isn't there wasn't answered: a blank has no triplet and never counts as wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Answers:
    """``learner`` (0 .. learners-1), ``item`` (0 .. items-1) and ``correct``, one entry per answer, in any order."""

    learner: Ints
    item: Ints
    correct: Bools
    learners: int
    items: int

    def __len__(self) -> int:
        return len(self.learner)

    @property
    def is_complete(self) -> bool:
        """Whether every learner answered every item."""
        return len(self) == self.learners * self.items

    def counts(self) -> tuple[Floats, Floats]:
        """Per item, how many answered and how many of these were right; two arrays of shape (items,)."""
        return counted(self.item, self.items), counted(self.item[self.correct], self.items)


def checked_answers(learner: Ints, item: Ints, correct: Bools, learners: int, items: int) -> Answers:
    """Validated answers. Raises ValueError if an index is out of range or a learner answered an item twice."""
    if not len(learner) == len(item) == len(correct):
        raise ValueError("learner, item and correct must have the same length")
    _check_range("learner", learner, learners)
    _check_range("item", item, items)
    # Sorted, because ``np.unique`` without a sort takes some fifteen times as long.
    cells = np.sort(learner.astype(np.int64) * items + item)
    if (cells[1:] == cells[:-1]).any():
        raise ValueError("a learner has two answers to one item")
    return Answers(learner, item, correct.astype(np.bool_), learners, items)


def counted(place: NDArray[np.integer], size: int) -> Floats:
    """How often each of the places 0 .. size-1 occurs."""
    return np.bincount(place, minlength=size).astype(np.float64)


def _check_range(name: str, index: Ints, size: int) -> None:
    if len(index) and not 0 <= index.min() <= index.max() < size:
        raise ValueError(f"a {name} is out of range 0 .. {size - 1}")
