"""Simulates people for the analysis of the trial: their answers, given an effect of the variant."""

from __future__ import annotations

import numpy as np

from practice.readiness.derive.evidence.rules import Outcome, effect_of

LEARNERS, MISSES = 150, 20
GUESS = 0.25
EXPLAINED, SPREAD = 0.7, 0.5
"""How much reading a solution adds to the next answer in its family, in logits, and how much that varies by person."""
ITEMS = 0.95
KNOWN_ABILITY, KNOWN_ITEM = 0.4, 0.5
"""How far the forecast is off, in logits: the learner model's after thirty answers, and a calibrated item's."""


def simulated_outcomes(rng: np.random.Generator, effect: float = 0.0) -> list[Outcome]:
    """Return equally many misses per learner, drawn in pairs; ``effect`` is what the variant adds to the share right.

    Abilities are N(0, 1), so a forecast knows nothing of how much an explanation helped.
    """
    size = (LEARNERS, MISSES)
    ability = rng.normal(0, 1, (LEARNERS, 1))
    gain = EXPLAINED + rng.normal(0, SPREAD, (LEARNERS, 1))
    difficulty = rng.normal(0, ITEMS, size)
    first = rng.integers(0, 2, (LEARNERS, MISSES // 2))
    arms = np.stack([first, 1 - first], -1).reshape(size)
    plain = _share(ability + gain - difficulty)
    # The effect helps only people who would have been wrong, so no share exceeds 1 and the mean is exactly the effect.
    share = plain + arms * effect * (1 - plain) / float((1 - plain).mean())
    right = rng.random(size) < share
    known = ability + rng.normal(0, KNOWN_ABILITY, (LEARNERS, 1)) - difficulty - rng.normal(0, KNOWN_ITEM, size)
    forecasts = _share(known)
    return [
        Outcome(learner, bool(arms[learner, n]), bool(right[learner, n]), float(forecasts[learner, n]))
        for learner in range(LEARNERS)
        for n in range(MISSES)
    ]


def claims(runs: int, seed: int, effect: float = 0.0) -> tuple[float, float]:
    """Return the share of this many trials that claim an effect, and the mean of their estimates."""
    rng = np.random.default_rng(seed)
    found = [effect_of(simulated_outcomes(rng, effect)) for _ in range(runs)]
    effects = [each for each in found if each]
    assert len(effects) == runs
    return sum(each.is_shown for each in effects) / runs, sum(each.value for each in effects) / runs


def _share(gap: np.ndarray) -> np.ndarray:
    return GUESS + (1 - GUESS) / (1 + np.exp(-gap))
