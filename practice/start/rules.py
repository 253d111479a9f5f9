"""In which orders a drill can be; how long a session by a blueprint's shares can be, and how many minutes it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from enum import StrEnum

from questions.catalogue.rules.shares import allocate


class Order(StrEnum):
    """Which questions a drill takes first, or alone; the values stand in addresses and forms."""

    UNSEEN = "unseen"
    WEAK = "weak"
    MISSED = "missed"
    DUE = "due"
    STARRED = "starred"
    GUIDE = "guide"
    RANDOM = "random"


def shortfall(wanted: Mapping[int, int], available: Mapping[int, int]) -> dict[int, int]:
    """By domain, how many questions are missing; empty when all can be had."""
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
