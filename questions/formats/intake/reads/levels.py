"""How complete an import's drafts would be, and what each lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from questions.catalogue.models import Exam
from questions.formats.intake.reads.plan import CHANGED, NEW, Planned
from questions.lint.reads import known_names
from questions.lint.rules import BASIC, DRAFT, FULL, Completeness, completeness


@dataclass(frozen=True)
class Levels:
    """Each planned draft's completeness by ``id()``; how many there are of each level, and what most lack.

    ``lacking`` counts what keeps drafts from being published at all, ``unfinished`` what keeps basic ones from being
    full.
    """

    of: dict[int, Completeness]
    counts: list[tuple[str, int]]
    lacking: list[tuple[str, int]]
    unfinished: list[tuple[str, int]]


def levels_of(exam: Exam, planned: Sequence[Planned]) -> Levels:
    """For the drafts that would be created or updated; four queries, however many there are."""
    drafts = [each for each in planned if each.draft and each.result in (NEW, CHANGED)]
    known = known_names(exam)
    found: dict[int, Completeness] = {}
    for each in drafts:
        if each.draft:
            found[id(each)] = completeness(each.draft, known)
    levels = Counter(each.level for each in found.values())
    return Levels(
        of=found,
        counts=[(level, levels[level]) for level in (FULL, BASIC, DRAFT) if levels[level]],
        lacking=_most(found.values(), DRAFT),
        unfinished=_most(found.values(), BASIC),
    )


def _most(found: Iterable[Completeness], level: str) -> list[tuple[str, int]]:
    return Counter(field for each in found if each.level == level for field in each.lacks).most_common()
