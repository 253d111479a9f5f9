"""Helpers for the tests of the lint rules."""

from __future__ import annotations

import dataclasses
import datetime as dt
from decimal import Decimal

from questions.catalogue.rules.exam_file import BlueprintLine, DomainLine, ExamFile, Targets, WeightLine
from questions.catalogue.rules.glossary import Term
from questions.lint.rules import NOTHING, Known, lint
from questions.versions.rules.draft import DraftQuestion
from tests.support.bank import changed, draft


def found(question: DraftQuestion, known: Known = NOTHING) -> set[tuple[str, str]]:
    """Return the rule and the field of every finding."""
    return {(problem.rule, problem.field) for problem in lint(question, known)}


def with_options(*texts: str, right: tuple[int, ...] = (1,), **fields: object) -> DraftQuestion:
    """Return a question with these options; the slots in ``right`` are its key."""
    kind = "single" if len(right) == 1 else "multiple"
    options = tuple(
        dataclasses.replace(draft(1, kind="multiple").options[0], slot=slot, text=text, right=slot in right)
        for slot, text in enumerate(texts, 1)
    )
    return changed(draft(1), options=options, kind=kind, **fields)


def an_exam(slug: str = "abc", name: str = "Abc Professional Data Engineer", **targets: object) -> ExamFile:
    """Return an exam of two domains whose blueprint asks for four questions from the first and six from the second."""
    return ExamFile(
        slug=slug,
        code=slug.upper(),
        name=name,
        vendor="Vendor",
        summary="About.",
        guide_url="https://e.example",
        retake_days=(),
        blueprints=(
            BlueprintLine(
                "now", "Guide", dt.date(2026, 6, 1), True, 10, 20, 70,
                (WeightLine("d1", Decimal(40), "Storing Data"), WeightLine("d2", Decimal(60), "Moving Data")),
            ),
        ),
        domains=(DomainLine("d1", 1, (("c1", "One"),)), DomainLine("d2", 2, (("c2", "Two"),))),
        targets=Targets(**targets),
    )  # fmt: skip


KNOWN = Known(
    exam=an_exam(),
    others=(an_exam("xyz", "Xyz Associate Cloud Engineer"),),
    glossary={
        "pipes": Term("New Pipes", "Old Suite Pipes"),
        "suite": Term("New Suite", "Old Suite"),
        "plain": Term("Plain"),
    },
    names={"domain": {"d1", "d2"}, "concepts": {"c1", "c2"}, "modules": {"data"}},
)
