"""How many questions of each domain a blueprint asks for, and how many whole mocks a bank fills; pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache


def printed(weight: Decimal) -> str:
    """A weight in percent as a guide prints it, without trailing zeros."""
    return f"{weight.normalize():f}%"


def allocate(weights: Sequence[tuple[int, Decimal]], count: int) -> dict[int, int]:
    """Share ``count`` questions among weighted domains by the largest remainder (Hamilton's method).

    ``weights`` are (domain id, weight) in the order of the domains' numbers; they need not sum to 100.
    Every domain gets the whole part of its share; what is left goes to the largest remainders, and among
    equal remainders to the larger weight, then to the earlier domain. Exact: fractions, no rounding.
    Raises ValueError without a positive weight or with a negative count.
    """
    return dict(_allocated(tuple(weights), count))


@lru_cache(1024)
def _allocated(weights: tuple[tuple[int, Decimal], ...], count: int) -> Mapping[int, int]:
    """Cached: every page of a learner asks for one of the few guides, and fractions are slow to compare."""
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


def whole_mocks(wanted: Mapping[int, int], have: Mapping[int, int]) -> int:
    """How many mocks with exactly these shares can be taken without repeating a question.

    A mock takes a domain's questions only for that domain, so the domain that runs out first decides.
    """
    return min((have.get(domain, 0) // n for domain, n in wanted.items() if n), default=0)


def missing_for(mocks: int, wanted: Mapping[int, int], have: Mapping[int, int]) -> dict[int, int]:
    """By domain, how many more questions are needed for this many mocks; empty if none."""
    short = {domain: mocks * n - have.get(domain, 0) for domain, n in wanted.items()}
    return {domain: n for domain, n in short.items() if n > 0}
