from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from questions.catalogue.models import Exam
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import Solution


@dataclass(frozen=True)
class Named:
    """A live version: the objectives it names, and its study modules, with sections if named."""

    version: int
    is_public: bool
    objectives: tuple[str, ...]
    modules: tuple[str, ...]

    def is_under(self, number: str) -> bool:
        """Whether it names this objective or one of its points."""
        return any(is_under(each, number) for each in self.objectives)


def lead_objectives(versions: Collection[int], ids: Mapping[str, int]) -> dict[int, int]:
    """By version, the id of the first objective it names, directly or through a point; one query.

    ``ids`` are the objectives by number. Versions that name none are left out.
    """
    found = {}
    rows = Solution.objects.filter(version__in=versions).values_list("version", "text__objectives")
    for version, numbers in rows:
        known = (ids[top] for number in numbers or () for top in ids if is_under(number, top))
        if (first := next(known, None)) is not None:
            found[version] = first
    return found


def is_under(number: str, top: str) -> bool:
    """Whether a number is this objective or one of its points."""
    return number == top or number.startswith(f"{top}.")


def named(exam: Exam) -> list[Named]:
    """For every question that can be drawn or read; one query."""
    live = Question.objects.filter(exam=exam, live_version__isnull=False, withdrawn_at=None, retired_at=None)
    text = "live_version__solution__text"
    columns = ("live_version", "pool", "live_version__pool", f"{text}__objectives", f"{text}__modules")
    return [
        Named(version, {pool, published} == {Pool.PUBLIC}, tuple(objectives or ()), tuple(modules or ()))
        for version, pool, published, objectives, modules in live.order_by().values_list(*columns)
    ]
