"""How complete the drafts of an import would be, and what each lacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from questions.catalogue.models import Exam
from questions.formats.intake.reads.plan import CHANGED, NEW, Planned
from questions.lint.reads import known_names
from questions.lint.rules import BASIC, FULL, REFUSE, Problem, lint

DRAFT = "draft"
ROOT = re.compile(r"\w+")


@dataclass(frozen=True)
class Completeness:
    """A draft's level: FULL, BASIC, or DRAFT where it can't be published.

    ``lacks`` are the fields in which the next level asks for more.
    """

    level: str
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class Levels:
    """By ``id()`` of each planned draft its completeness; how many there are of each level, and what most lack.

    ``lacking`` counts what keeps drafts from being published at all, ``unfinished`` what keeps basic ones from full.
    """

    of: dict[int, Completeness]
    counts: list[tuple[str, int]]
    lacking: list[tuple[str, int]]
    unfinished: list[tuple[str, int]]


def levels_of(exam: Exam, planned: Sequence[Planned]) -> Levels:
    """Of the drafts that would be made or brought up to the file; four statements, however many there are."""
    drafts = [each for each in planned if each.draft and each.result in (NEW, CHANGED)]
    known = known_names(exam)
    found: dict[int, Completeness] = {}
    for each in drafts:
        if each.draft is None:
            continue
        for level, below in ((BASIC, DRAFT), (FULL, BASIC)):
            problems = lint(each.draft, known, REFUSE, level)
            found[id(each)] = Completeness(below if problems else level, _fields(problems))
            if problems:
                break
    levels = Counter(each.level for each in found.values())
    return Levels(
        of=found,
        counts=[(level, levels[level]) for level in (FULL, BASIC, DRAFT) if levels[level]],
        lacking=_most(found.values(), DRAFT),
        unfinished=_most(found.values(), BASIC),
    )


def _fields(problems: Sequence[Problem]) -> tuple[str, ...]:
    """The fields that findings are about, each once, in their order."""
    roots = (ROOT.match(problem.field) for problem in problems)
    return tuple(dict.fromkeys(root.group().replace("_", " ") for root in roots if root))


def _most(found: Iterable[Completeness], level: str) -> list[tuple[str, int]]:
    return Counter(field for each in found if each.level == level for field in each.lacks).most_common()
