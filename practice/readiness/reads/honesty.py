"""How predictions turned out: each compared with the fresh mock after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from practice.learners.models import Outcome, ToldOutcome
from practice.measurement.calibration.rules.classical import wilson
from practice.measurement.calibration.rules.clusters import bootstrap, effective
from practice.readiness.models import Forecast, HonestyFigures
from questions.catalogue.models import Exam

LEAST = 50
"""With fewer tested predictions than these, no figures are published."""
LEAST_LEARNERS = 10
"""With fewer learners than these there is no interval: resamples would mostly be the same people."""
LEAST_TOLD = 20
"""Among fewer, one person's outcome moves a share by more than five points, and somebody who knows that person could
tell which it is."""
BANDS = 10
"""As ``ToldOutcome.band`` stores them: what learners reported can't be divided any finer."""
ANSWERS = (30, 60, 120, 240)
"""From this many answers on, a prediction belongs to the next row of the table by answers."""


@dataclass(frozen=True)
class Tested:
    """A prediction and the mock that tested it; ``answers`` are the first exposures behind it, None where unknown."""

    learner: int
    answers: int | None
    chance: float
    passed: bool
    is_in_range: bool


@dataclass(frozen=True)
class Figure:
    """A mean with its 95% interval, resampling learners with all their predictions; no interval for too few."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Band:
    """Predictions from ``low`` to ``high`` (chance in percent, or answers behind it; None for no end): what was
    predicted and what happened, in percent, with the 95% interval. Repeats by one learner count as one."""

    low: int
    high: int | None
    predicted: int
    came: int
    came_low: int
    came_high: int
    n: int
    in_range: int

    @property
    def width(self) -> int:
        return self.came_high - self.came_low


@dataclass(frozen=True)
class ToldBand:
    """Reported outcomes of the real exam, for one tenth of the predicted chance."""

    low: int
    high: int
    passed: int
    n: int


@dataclass(frozen=True)
class CalibrationPage:
    """With fewer than ``least`` tests there are no figures.

    ``usual`` is the Brier score of always predicting the share that passed; ``in_range`` is in percent. The
    ``abandoned`` mocks tested nothing and are in no other figure.
    """

    exam: Exam
    n: int
    learners: int
    abandoned: int
    least: int
    brier: Figure | None
    usual: float | None
    in_range: Figure | None
    bands: list[Band]
    by_answers: list[Band]
    told: list[ToldBand]
    told_n: int
    told_least: int


def calibration_page(exam: Exam) -> CalibrationPage:
    """Last night's figures, in one query; before the first night they are computed for this page."""
    kept = HonestyFigures.objects.filter(exam=exam).values_list("figures", flat=True).first()
    return measured(exam) if kept is None else unpack(exam, kept)


def pack(page: CalibrationPage) -> dict[str, Any]:
    """The page as stored: everything except the exam."""
    return {name: value for name, value in asdict(page).items() if name != "exam"}


def unpack(exam: Exam, figures: Mapping[str, Any]) -> CalibrationPage:
    """The inverse of ``pack``."""
    parts = dict(figures)
    for name in ("brier", "in_range"):
        parts[name] = Figure(**parts[name]) if parts[name] else None
    for name, kind in (("bands", Band), ("by_answers", Band), ("told", ToldBand)):
        parts[name] = [kind(**each) for each in parts[name]]
    return CalibrationPage(exam=exam, **parts)


def measured(exam: Exam) -> CalibrationPage:
    """The figures for all tested predictions, in three queries. The predictions grow with every mock that tests one."""
    kept = Forecast.objects.filter(exam=exam)
    tests = [
        Tested(learner, answers, chance, passed, low <= score <= high)
        for learner, answers, chance, passed, low, score, high in kept.filter(abandoned=False).values_list(
            "session__learner", "answers", "chance", "passed", "low", "score", "high"
        )
    ]
    enough = len(tests) >= LEAST
    told = list(ToldOutcome.objects.filter(exam=exam).values_list("band", "outcome"))
    return CalibrationPage(
        exam=exam,
        n=len(tests),
        learners=len({test.learner for test in tests}),
        abandoned=kept.filter(abandoned=True).count(),
        least=LEAST,
        brier=_figure(tests, [(test.chance - test.passed) ** 2 for test in tests]) if enough else None,
        usual=_usual([(test.chance, test.passed) for test in tests]) if enough else None,
        in_range=_figure(tests, [100.0 * test.is_in_range for test in tests]) if enough else None,
        bands=bands(tests) if enough else [],
        by_answers=by_answers(tests) if enough else [],
        told=_told(told) if len(told) >= LEAST_TOLD else [],
        told_n=len(told),
        told_least=LEAST_TOLD,
    )


def brier(pairs: Sequence[tuple[float, bool]]) -> float:
    """The mean squared distance of prediction and outcome (Brier 1950); 0 is perfect. Raises ValueError for none."""
    if not pairs:
        raise ValueError("needs at least one prediction")
    return sum((chance - passed) ** 2 for chance, passed in pairs) / len(pairs)


def bands(tests: Sequence[Tested]) -> list[Band]:
    """The reliability diagram's points: the tenths of the predicted chance that contain predictions."""
    tenths = [[test for test in tests if min(int(test.chance * BANDS), BANDS - 1) == place] for place in range(BANDS)]
    return [_band(10 * place, 10 * place + 10, among) for place, among in enumerate(tenths) if among]


def by_answers(tests: Sequence[Tested]) -> list[Band]:
    """The same, grouped by the number of answers behind the prediction, where that is known."""
    found = []
    for low, high in zip(ANSWERS, (*ANSWERS[1:], None), strict=True):
        among = [t for t in tests if t.answers is not None and low <= t.answers and (high is None or t.answers < high)]
        if among:
            found.append(_band(low, None if high is None else high - 1, among))
    return found


def _band(low: int, high: int | None, among: Sequence[Tested]) -> Band:
    came = sum(test.passed for test in among) / len(among)
    worth = effective(np.array([test.learner for test in among]))
    ends = (float(end[0]) for end in wilson(np.array([came * worth]), np.array([worth])))
    mean = sum(test.chance for test in among) / len(among)
    in_range = sum(test.is_in_range for test in among) / len(among)
    predicted, reached, from_, until = (round(100 * share) for share in (mean, came, *ends))
    return Band(low, high, predicted, reached, from_, until, len(among), round(100 * in_range))


def _figure(tests: Sequence[Tested], values: Sequence[float]) -> Figure:
    among, who = np.array(values), np.array([test.learner for test in tests])
    enough = len(set(who.tolist())) >= LEAST_LEARNERS
    return Figure(float(among.mean()), *(bootstrap(among, who) if enough else ()))


def _usual(pairs: Sequence[tuple[float, bool]]) -> float:
    share = sum(passed for _, passed in pairs) / len(pairs)
    return brier([(share, passed) for _, passed in pairs])


def _told(rows: Sequence[tuple[int, str]]) -> list[ToldBand]:
    n = Counter(band for band, _ in rows)
    passed = Counter(band for band, outcome in rows if outcome == Outcome.PASSED)
    return [ToldBand(10 * band, 10 * band + 10, passed[band], n[band]) for band in sorted(n)]
