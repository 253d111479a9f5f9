"""How much the options alone give away: the leak, from what readers of the options guessed right."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt

from questions.bank_files.readings.rules.items import Unit
from questions.bank_files.readings.rules.records import OptionsReading

Z_95 = 1.96


@dataclass(frozen=True)
class Leak:
    """Of ``questions`` read, the share that readers guessed right, and the share expected by chance."""

    questions: int
    rate: float
    chance: float

    @property
    def value(self) -> float:
        """(hits - chance) / (1 - chance): 0 if the options give nothing away, 1 if they give everything away."""
        return self._of(self.rate)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval, with the questions as the sample: two readers of one question aren't two questions.

        Siblings share a guess, and at most one is right, so for families it errs on the wide side.
        """
        n, z = self.questions, Z_95
        middle = (self.rate + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(self.rate * (1 - self.rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return self._of(middle - half), self._of(middle + half)

    def _of(self, rate: float) -> float:
        return (rate - self.chance) / (1 - self.chance)


def leak_of(readings: Iterable[OptionsReading]) -> Leak | None:
    """The leak over readings, each unit counting once however many read it; None without readings.

    In a family, each sibling is scored against the one guess. Controls are left out: they were chosen for being
    guessable.
    """
    rows = sorted((each for each in readings if not each.control), key=_unit)
    questions, hits, chance = 0, 0.0, 0.0
    for _, group in groupby(rows, key=_unit):
        own = list(group)
        questions += own[-1].variants
        hits += own[-1].variants * sum(each.hits for each in own) / sum(each.variants for each in own)
        chance += own[-1].variants * own[-1].chance
    return Leak(questions, hits / questions, chance / questions) if questions else None


def _unit(reading: OptionsReading) -> str:
    return reading.unit


def present(readings: Iterable[OptionsReading], units: Iterable[Unit]) -> list[OptionsReading]:
    """The readings of the current options, scored by the current keys: siblings come and go."""
    now = {(unit.key, unit.hash): unit for unit in units}
    return [
        dataclasses.replace(each, variants=len(unit.variants), hits=unit.hits(each.guess))
        for each in readings
        if (unit := now.get((each.unit, each.text)))
    ]


def first(readings: Sequence[OptionsReading]) -> list[OptionsReading]:
    """The readings of each unit's options as first read, before any repair."""
    texts: dict[str, str] = {}
    for each in readings:
        if not each.control:
            texts.setdefault(each.unit, each.text)
    return [each for each in readings if texts.get(each.unit) == each.text]


def both_hit(unit: Unit, readings: Iterable[OptionsReading]) -> bool:
    """Whether a single question's current options gave the key away to at least two readers, and to all who read
    them."""
    own = [each for each in present(readings, [unit]) if not each.control]
    return len(unit.variants) == 1 and len({each.reader for each in own}) > 1 and all(each.hits for each in own)
