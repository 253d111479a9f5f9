"""How honest the predictions were: each beside the fresh mock that came after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from practice.learners.models import Outcome, ToldOutcome
from practice.measurement.calibration.rules.classical import wilson
from practice.readiness.models import Forecast
from questions.catalogue.models import Exam

LEAST = 50
"""Fewer tested predictions than these say nothing in public."""
LEAST_TOLD = 20
BANDS = 10


@dataclass(frozen=True)
class Band:
    """A tenth of the predicted chance: what was predicted and what came, in percent, with the 95% Wilson interval."""

    low: int
    high: int
    predicted: int
    came: int
    came_low: int
    came_high: int
    n: int

    @property
    def width(self) -> int:
        return self.came_high - self.came_low


@dataclass(frozen=True)
class ToldBand:
    """Told outcomes of the real exam in a tenth of the predicted chance."""

    low: int
    high: int
    passed: int
    n: int


@dataclass(frozen=True)
class CalibrationPage:
    """``brier`` and ``usual`` (that of always predicting the share that passed) are None below ``least`` tests."""

    exam: Exam
    n: int
    least: int
    brier: float | None
    usual: float | None
    in_range: int | None
    bands: list[Band]
    told: list[ToldBand]
    told_n: int
    told_least: int


def calibration_page(exam: Exam) -> CalibrationPage:
    rows = list(Forecast.objects.filter(exam=exam).values_list("chance", "passed", "low", "high", "score"))
    pairs = [(chance, passed) for chance, passed, *_ in rows]
    enough = len(rows) >= LEAST
    told = list(ToldOutcome.objects.filter(exam=exam).values_list("band", "outcome"))
    return CalibrationPage(
        exam=exam,
        n=len(rows),
        least=LEAST,
        brier=brier(pairs) if enough else None,
        usual=_usual(pairs) if enough else None,
        in_range=round(100 * sum(low <= score <= high for *_, low, high, score in rows) / len(rows))
        if enough
        else None,
        bands=bands(pairs) if enough else [],
        told=_told(told) if len(told) >= LEAST_TOLD else [],
        told_n=len(told),
        told_least=LEAST_TOLD,
    )


def brier(pairs: Sequence[tuple[float, bool]]) -> float:
    """The mean squared distance of prediction and outcome (Brier 1950); 0 is perfect. Raises ValueError for none."""
    if not pairs:
        raise ValueError("needs at least one prediction")
    return sum((chance - passed) ** 2 for chance, passed in pairs) / len(pairs)


def bands(pairs: Sequence[tuple[float, bool]]) -> list[Band]:
    """The reliability diagram's points: the tenths of the predicted chance that hold any prediction."""
    found = []
    for place in range(BANDS):
        among = [(chance, passed) for chance, passed in pairs if min(int(chance * BANDS), BANDS - 1) == place]
        if among:
            n, right = len(among), sum(passed for _, passed in among)
            low, high = (float(end[0]) for end in wilson(np.array([right]), np.array([n])))
            mean = sum(chance for chance, _ in among) / n
            mean, came, low, high = (round(100 * share) for share in (mean, right / n, low, high))
            found.append(Band(10 * place, 10 * place + 10, mean, came, low, high, n))
    return found


def _usual(pairs: Sequence[tuple[float, bool]]) -> float:
    share = sum(passed for _, passed in pairs) / len(pairs)
    return brier([(share, passed) for _, passed in pairs])


def _told(rows: Sequence[tuple[int, str]]) -> list[ToldBand]:
    n = Counter(band for band, _ in rows)
    passed = Counter(band for band, outcome in rows if outcome == Outcome.PASSED)
    return [ToldBand(10 * band, 10 * band + 10, passed[band], n[band]) for band in sorted(n)]
