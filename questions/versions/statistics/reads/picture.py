"""Discrimination against facility: every live question of an exam as a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models.functions import Coalesce

from questions.catalogue.models import Exam
from questions.versions.models.drafts import Question
from questions.versions.statistics.models import VersionStatistics
from questions.versions.statistics.reads.figures import figures_of, measured_versions
from questions.versions.statistics.rules import LEAST_ANSWERS, LEAST_DISCRIMINATION, TOO_EASY, ItemFigures

LOWEST, HIGHEST = -0.4, 0.8
"""Discrimination at the lower and upper edges; points beyond are drawn on the edge."""
TICKS = (0.8, 0.6, 0.4, 0.2, 0.0, -0.2, -0.4)


@dataclass(frozen=True)
class Point:
    """A live question. ``x`` and ``y`` are percent of the chart from its left and top edges."""

    question_id: int
    number: int | None
    title: str
    figures: ItemFigures

    @property
    def is_enough(self) -> bool:
        """Whether enough answers have an ability for the figures."""
        return self.figures.rest_n >= LEAST_ANSWERS

    @property
    def x(self) -> float:
        return round(100 * (self.figures.facility or 0), 2)

    @property
    def y(self) -> float:
        return _height(self.figures.discrimination or 0)


@dataclass(frozen=True)
class Picture:
    """The points by number, reserved ones last; ``undrawn`` live questions have no discrimination yet.

    ``flat_y`` and ``easy_x`` are the flags' limits; ``ticks``: (discrimination, height).
    """

    exam: Exam
    points: Sequence[Point]
    undrawn: int
    exams: Sequence[Exam]
    least: int = LEAST_ANSWERS

    @property
    def flat_y(self) -> float:
        return _height(LEAST_DISCRIMINATION)

    @property
    def easy_x(self) -> float:
        return 100 * TOO_EASY

    @property
    def ticks(self) -> list[tuple[float, float]]:
        return [(tick, _height(tick)) for tick in TICKS]


def exam_picture(slug: str) -> Picture | None:
    """An exam's chart, by default the first exam's; None if there is no such exam.

    In four queries, however large the bank.
    """
    exams = list(Exam.objects.listed())
    exam = next((each for each in exams if slug in ("", each.slug)), None)
    if exam is None:
        return None
    live = Question.objects.filter(exam=exam, live_version__is_basic=False, retired_at=None)
    roots = live.values(root=Coalesce("live_version__measured_as_id", "live_version_id"))
    drawn = [point for row in measured_versions().filter(version__in=roots) if (point := _point(row))]
    drawn.sort(key=lambda point: (point.number is None, point.number or 0, point.question_id))
    return Picture(exam, drawn, live.count() - len(drawn), exams)


def _point(row: VersionStatistics) -> Point | None:
    figures = figures_of(row)
    if figures.discrimination is None:
        return None
    question = row.version.question
    return Point(question.pk, question.number, row.version.title, figures)


def _height(discrimination: float) -> float:
    share = (HIGHEST - discrimination) / (HIGHEST - LOWEST)
    return round(100 * min(max(share, 0.0), 1.0), 2)
