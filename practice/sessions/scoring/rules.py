"""Scoring, and what a score says about the next one; pure."""

from __future__ import annotations

import math

SHARE_FROM = 3
"""With fewer answers in a domain no share is shown: they say too little."""


def is_right(selected: int, key: int) -> bool:
    """All or nothing: the chosen options are exactly the key."""
    return selected == key


def needed_to_pass(count: int, pass_mark: int) -> int:
    """The fewest right answers of ``count`` that reach ``pass_mark`` percent."""
    return -(-count * pass_mark // 100)


def told_share(right: int, answered: int) -> int | None:
    """The share of right answers in a domain or concept, in percent; None below SHARE_FROM answers."""
    return round(100 * right / answered) if answered >= SHARE_FROM else None


def predictive_range(right: int, total: int, coming: int, share: float = 0.8) -> tuple[int, int]:
    """The central ``share`` of the scores that another ``coming`` unseen questions would give.

    Beta-binomial predictive distribution under Jeffreys' prior Beta(1/2, 1/2) on the chance of a right answer
    (Gelman et al., Bayesian Data Analysis, 3rd ed., section 2.4). Raises ValueError for impossible counts.
    """
    if not 0 <= right <= total or coming < 1:
        raise ValueError("needs 0 <= right <= total and at least one coming question")
    a, b = right + 0.5, total - right + 0.5
    tail = (1 - share) / 2
    cumulative, low, high = 0.0, 0, coming
    found_low = False
    for k in range(coming + 1):
        cumulative += math.exp(_log_beta_binomial(k, coming, a, b))
        if not found_low and cumulative >= tail:
            low, found_low = k, True
        if cumulative >= 1 - tail:
            high = k
            break
    return low, high


def _log_beta_binomial(k: int, n: int, a: float, b: float) -> float:
    choose = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return choose + _log_beta(k + a, n - k + b) - _log_beta(a, b)


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
