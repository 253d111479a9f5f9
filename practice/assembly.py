"""How a sitting's questions are shared out over the domains of a blueprint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction


def allocate(weights: Sequence[tuple[int, Decimal]], count: int) -> dict[int, int]:
    """Share ``count`` questions over weighted domains by the largest remainder (Hamilton's method).

    ``weights`` are (domain id, weight) in the order of the domains' numbers; they need not sum to 100.
    Every domain gets the whole part of its share; what is left goes to the largest remainders, and among
    equal remainders to the larger weight, then to the earlier domain. Exact: fractions, no rounding.
    Raises ValueError without a positive weight or with a negative count.
    """
    total = sum(Fraction(weight) for _, weight in weights)
    if total <= 0 or count < 0:
        raise ValueError("needs a positive weight and a count from 0")
    shares = [(domain, Fraction(weight), Fraction(weight) * count / total) for domain, weight in weights]
    result = {domain: int(share) for domain, _, share in shares}
    left = count - sum(result.values())
    by_remainder = sorted(range(len(shares)), key=lambda i: (-(shares[i][2] - int(shares[i][2])), -shares[i][1], i))
    for i in by_remainder[:left]:
        result[shares[i][0]] += 1
    return result


def shortfall(wanted: Mapping[int, int], available: Mapping[int, int]) -> dict[int, int]:
    """By domain, how many questions are missing; empty when all can be had."""
    return {d: n - available.get(d, 0) for d, n in wanted.items() if available.get(d, 0) < n}


def largest_fair_count(weights: Sequence[tuple[int, Decimal]], count: int, available: Mapping[int, int]) -> int:
    """The longest sitting up to ``count`` whose exact shares every domain can fill; 0 when there is none."""
    for size in range(count, 0, -1):
        if not shortfall(allocate(weights, size), available):
            return size
    return 0


def minutes_at_pace(minutes: int, questions: int, count: int) -> int:
    """Whole minutes for ``count`` questions at the pace of an exam of ``questions`` in ``minutes``."""
    return round(minutes * count / questions)
