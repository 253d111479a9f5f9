"""Which questions a drill takes and in which order; how long a session by shares can be, and its minutes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import StrEnum

from questions.catalogue.rules.shares import allocate


class State(StrEnum):
    """Which questions a drill takes, by what the learner did with them; the values appear in URLs and forms."""

    ALL = "all"
    UNSEEN = "unseen"
    MISSED = "missed"
    GUESSED = "guessed"
    STARRED = "starred"
    DUE = "due"


class Order(StrEnum):
    """Which of them a drill takes first; the values appear in URLs and forms."""

    UNSEEN = "unseen"
    WEAK = "weak"
    GUIDE = "guide"
    RANDOM = "random"


def shortfall(wanted: Mapping[int, int], available: Mapping[int, int]) -> dict[int, int]:
    """By domain, how many questions are missing; empty if there are enough."""
    return {d: n - available.get(d, 0) for d, n in wanted.items() if available.get(d, 0) < n}


def largest_fair_count(weights: Sequence[tuple[int, Decimal]], count: int, available: Mapping[int, int]) -> int:
    """The longest session up to ``count`` whose exact shares every domain can fill; 0 when there is none."""
    for size in range(count, 0, -1):
        if not shortfall(allocate(weights, size), available):
            return size
    return 0


def minutes_at_pace(minutes: int, questions: int, count: int) -> int:
    """Whole minutes for ``count`` questions at the pace of an exam of ``questions`` in ``minutes``."""
    return round(minutes * count / questions)
