"""Whether the bank covers everything in the current exam guide, by the targets in exam.yaml."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from questions.catalogue.rules.exam_file import Targets
from questions.catalogue.rules.outline_file import Outline
from questions.lint.rules.registry import BANK, WARN, Problem, Rule, declare
from questions.versions.rules.draft import DraftQuestion

OBJECTIVE_COUNTS = declare(
    Rule(
        "objective-counts",
        WARN,
        BANK,
        "An objective or point of the current exam guide with fewer questions, or an objective with fewer public ones,"
        " than the target; or questions that name no objective.",
        "write what’s missing, or name the objectives that a question is about",
        "The exam’s own guide (outlines/, targets in exam.yaml)",
    )
)


def lint_outline(questions: Sequence[DraftQuestion], targets: Targets, outline: Outline | None) -> Iterator[Problem]:
    """All findings for which the exam has a target; a question on a point also counts once for its objective."""
    if outline is None:
        if targets.per_objective or targets.per_point:
            yield _few("per_objective", "the current exam guide has no outline")
        return
    parents = {line.number: line.parent for section in outline.sections for line in section.objectives}
    asked, public = Counter[str](), Counter[str]()
    for question in questions:
        named = {number for number in question.objectives if number in parents}
        named |= {parents[number] for number in named if parents[number]}
        asked.update(named)
        public.update(named if question.pool == "open" else ())
    least, least_public = targets.per_objective or (0, 0)
    for number, parent in parents.items():
        name, need = ("per_point", targets.per_point) if parent else ("per_objective", least)
        if asked[number] < need:
            yield _few(name, f"{number}: {asked[number]} questions; the target is {need}")
        if not parent and public[number] < least_public:
            yield _few(name, f"{number}: {public[number]} public questions; the target is {least_public}")
    bare = [question.key for question in questions if not question.objectives]
    if bare and (least or targets.per_point):
        yield _few("per_objective", f"no objective is named by {', '.join(bare)}")


def _few(target: str, message: str) -> Problem:
    return OBJECTIVE_COUNTS.problem(f"targets.{target}", message)
