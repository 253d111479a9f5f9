"""The trial's single analysis, as specified in docs/evidence-plan.md; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LOOK_AT = 3000
"""Outcomes per exam before any estimate: looking again and again finds effects by chance."""
INTERVAL = 1.96
"""95%, as the plan says: like LOOK_AT it can't be changed once outcomes are known, or it would be another trial."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Outcome:
    """A miss with its outcome: ``right`` is the first answer to the held-back variant, ``forecast`` its chance."""

    learner: int
    is_contrast: bool
    right: bool
    forecast: float


@dataclass(frozen=True)
class Effect:
    """The difference in the share right after a variant and after a plain question, with its 95% interval."""

    value: float
    low: float
    high: float
    learners: int

    @property
    def is_shown(self) -> bool:
        """Whether the interval excludes 0: only then is anything claimed."""
        return self.low > 0 or self.high < 0


def effect_of(outcomes: Sequence[Outcome]) -> Effect | None:
    """Within learners, with a standard error that is robust against clusters of one (CR1); None without both arms.

    Liang & Zeger (Biometrika 73, 1986) for the error; G / (G - 1) for G learners.
    """
    who = np.unique(np.array([each.learner for each in outcomes], dtype=np.int64), return_inverse=True)[1]
    arms = _within(np.array([each.is_contrast for each in outcomes], dtype=np.float64), who)
    gains = _within(np.array([each.right - each.forecast for each in outcomes], dtype=np.float64), who)
    spread = float(arms @ arms)
    learners = int((np.bincount(who, weights=arms**2) > 0).sum()) if len(outcomes) else 0
    if learners < 2 or not spread:
        return None
    value = float(arms @ gains) / spread
    scores = np.bincount(who, weights=arms * (gains - value * arms))
    error = math.sqrt(float(scores @ scores) * learners / (learners - 1)) / spread
    return Effect(value, value - INTERVAL * error, value + INTERVAL * error, learners)


def _within(values: Floats, who: NDArray[np.intp]) -> Floats:
    """Deviations from each learner's mean, shape (n,)."""
    if not len(values):
        return values
    means = np.bincount(who, weights=values) / np.bincount(who)
    return values - means[who]
