from __future__ import annotations

from dataclasses import dataclass

from questions.catalogue.models import Exam
from questions.versions.models.drafts import Pool, Question


@dataclass(frozen=True)
class Named:
    """A live version: the objectives it names, and the study modules, each with its section where one is named."""

    version: int
    is_public: bool
    objectives: tuple[str, ...]
    modules: tuple[str, ...]

    def is_under(self, number: str) -> bool:
        """It names this objective, or a point of it."""
        return any(each == number or each.startswith(f"{number}.") for each in self.objectives)


def named(exam: Exam) -> list[Named]:
    """Of every question that can be drawn or read; one statement."""
    live = Question.objects.filter(exam=exam, live_version__isnull=False, withdrawn_at=None, retired_at=None)
    text = "live_version__solution__text"
    columns = ("live_version", "pool", "live_version__pool", f"{text}__objectives", f"{text}__modules")
    return [
        Named(version, {pool, published} == {Pool.PUBLIC}, tuple(objectives or ()), tuple(modules or ()))
        for version, pool, published, objectives, modules in live.order_by().values_list(*columns)
    ]
