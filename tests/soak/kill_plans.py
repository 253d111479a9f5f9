"""Draws from a seed which process dies when: the same seed draws the same plan."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

BETWEEN_KILLS, OUTAGE = (0.2, 0.8), (0.0, 0.5)


@dataclass(frozen=True)
class Kill:
    """One kill: of which process, how many seconds into the run and for how long; ``which`` picks among several."""

    what: str
    after: float
    away: float
    which: float


def plan_kills(rng: random.Random, counts: Mapping[str, int]) -> list[Kill]:
    """Plan this many kills of each process, in a random order at random moments."""
    names = [name for name, count in counts.items() for _ in range(count)]
    rng.shuffle(names)
    return [Kill(name, rng.uniform(*BETWEEN_KILLS), rng.uniform(*OUTAGE), rng.random()) for name in names]


def plan_over_work(rng: random.Random, counts: Mapping[str, int], work: int) -> list[tuple[str, int]]:
    """Plan this many kills of each process, in a random order, one in each equal part of the work."""
    names = [name for name, count in counts.items() for _ in range(count)]
    rng.shuffle(names)
    part = work / len(names)
    return [(name, int(part * (place + rng.random()))) for place, name in enumerate(names)]
