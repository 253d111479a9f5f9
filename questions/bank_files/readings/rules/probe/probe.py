"""The probe's figures by domain and kind, compared with the same probe on shuffled keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from questions.bank_files.readings.rules.items import Unit
from questions.bank_files.readings.rules.probe.fit import SHUFFLES, hits, shuffled_key, table_of

MOST_OVER_CHANCE = 0.05  # the target; within the range of the shuffles is better
FEWEST_UNITS = 5  # with fewer, there is nothing to split


@dataclass(frozen=True)
class Probed:
    """The share of questions whose key the probe found; 95% of the shuffles are between ``low`` and ``high``."""

    questions: int
    rate: float
    chance: float
    low: float
    high: float

    @property
    def inside(self) -> bool:
        """Whether the probe does no better on the keys than on shuffled ones."""
        return self.rate <= self.high

    def __str__(self) -> str:
        return f"{self.rate:.0%} (chance {self.chance:.0%}, shuffled {self.low:.0%} to {self.high:.0%})"


def probe(units: Sequence[Unit], shuffles: int = SHUFFLES) -> dict[str, Probed]:
    """The figures for all questions, each kind and each domain, by name; none if there are too few to split."""
    if len(units) < FEWEST_UNITS:
        return {}
    table = table_of(units)
    items = [item for unit in units for item in unit.variants]
    tested, hit = hits(table, table.key)
    shuffled = [hits(table, shuffled_key(table, i))[1] for i in range(shuffles)]
    names = ["all", *dict.fromkeys(item.kind for item in items), *dict.fromkeys(item.domain for item in items)]
    found = {}
    for name in names:
        own = np.array([name in ("all", item.kind, item.domain) for item in items])
        count = max(1, int(tested[own].sum()))
        low, high = np.quantile([each[own].sum() / count for each in shuffled], [0.025, 0.975])
        chance = float(np.mean([item.chance for item, mine in zip(items, own, strict=True) if mine]))
        found[name] = Probed(int(own.sum()), float(hit[own].sum() / count), chance, float(low), float(high))
    return found
