"""Findings that need other questions: ids and names row by row, and the line of each finding; pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from questions.bank_files.rules.file import FileProblem, FileQuestion
from questions.lint.rules import ID_TWICE, Problem, unknown_names
from questions.versions.rules.draft import DraftQuestion

Row = tuple[Path, FileQuestion]
Finding = tuple[DraftQuestion, Problem]


def ids_and_names(rows: Iterable[Row], names: Mapping[str, Collection[str]] | None = None) -> Iterator[Finding]:
    """Row by row: names not in ``names``, if given, and ids that an earlier row has."""
    first: dict[str, Path] = {}
    for path, row in rows:
        if names is not None:
            yield from ((row.draft, problem) for problem in unknown_names(row.draft, names))
        if row.draft.key in first:
            yield row.draft, ID_TWICE.problem("id", f"is also in {first[row.draft.key].name}")
        first.setdefault(row.draft.key, path)


def at_their_lines(rows: Sequence[Row], findings: Iterable[Finding]) -> Iterator[FileProblem]:
    """Findings with file and line; those on drafts in none of the files are skipped."""
    places = {id(row.draft): (path, row) for path, row in rows}
    for draft, problem in findings:
        if id(draft) in places:
            path, row = places[id(draft)]
            yield FileProblem(path, row.line(problem.field), draft.key, problem)
