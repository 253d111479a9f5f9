"""The probe's figures by pool, kind and domain, and the same probe on shuffled keys for comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from questions.bank_files.readings.rules.items import POOLS, Item, Unit
from questions.bank_files.readings.rules.probe.fit import SHUFFLES, Mask, Places, hits, shuffled_key, table_of

FEWEST_UNITS = 5  # with fewer, there is nothing to split


@dataclass(frozen=True)
class Guessed:
    """The share of questions whose key the probe found, and the share expected by chance."""

    questions: int
    rate: float
    chance: float

    @property
    def points(self) -> float:
        """Percentage points above chance; negative if it does worse."""
        return 100 * (self.rate - self.chance)

    def __str__(self) -> str:
        return f"{self.rate:.0%} (chance {self.chance:.0%})"


@dataclass(frozen=True)
class Probed:
    """What the probe guessed, and what it would on shuffled keys: 95% of these are between ``low`` and ``high``."""

    guessed: Guessed
    low: float
    high: float

    @property
    def inside(self) -> bool:
        """Whether the probe does no better on the keys than on shuffled ones."""
        return self.guessed.rate <= self.high

    def __str__(self) -> str:
        found = self.guessed
        return f"{found.rate:.0%} (chance {found.chance:.0%}, shuffled {self.low:.0%} to {self.high:.0%})"


def guess(units: Sequence[Unit]) -> dict[str, Guessed]:
    """The figures for all questions, each pool, kind and domain, by name; none if there are too few to split."""
    if len(units) < FEWEST_UNITS:
        return {}
    table = table_of(units)
    tested, hit = hits(table, table.key)
    return {name: _guessed(own, units, tested, hit) for name, own in _rows(units).items()}


def probe(units: Sequence[Unit], shuffles: int = SHUFFLES) -> dict[str, Probed]:
    """The same beside shuffled keys, which takes a while."""
    if len(units) < FEWEST_UNITS:
        return {}
    table = table_of(units)
    tested, hit = hits(table, table.key)
    shuffled = [hits(table, shuffled_key(table, i))[1] for i in range(shuffles)]
    found = {}
    for name, own in _rows(units).items():
        low, high = np.quantile([_rate(own, tested, each) for each in shuffled], [0.025, 0.975])
        found[name] = Probed(_guessed(own, units, tested, hit), float(low), float(high))
    return found


def _rows(units: Sequence[Unit]) -> dict[str, Mask]:
    """Which questions each row of figures is about."""
    items = _items(units)
    names = ("all", *POOLS, *(item.kind for item in items), *(item.domain for item in items))
    rows = {
        name: np.array([name in ("all", item.kind, item.domain) or POOLS.get(name) == item.pool for item in items])
        for name in dict.fromkeys(names)
    }
    return {name: own for name, own in rows.items() if own.any()}


def _guessed(own: Mask, units: Sequence[Unit], tested: Places, hit: Places) -> Guessed:
    chances = np.array([item.chance for item in _items(units)])
    return Guessed(int(own.sum()), _rate(own, tested, hit), float(chances[own].mean()))


def _rate(own: Mask, tested: Places, hit: Places) -> float:
    return float(hit[own].sum() / max(1, int(tested[own].sum())))


def _items(units: Sequence[Unit]) -> list[Item]:
    return [item for unit in units for item in unit.variants]
