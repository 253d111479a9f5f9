"""What to check again: questions that nobody has read, and whose sources nobody has opened, for a while; pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from pathlib import Path

from questions.bank_files.rules.folder import read_questions
from questions.catalogue.rules.glossary import CURRENT, Term, read_glossary
from questions.lint.rules.prose import names_product
from questions.versions.rules.draft import DraftQuestion

NEVER = dt.date.min


def last_checked(question: DraftQuestion) -> dt.date:
    """The day on which the source that was opened longest ago was opened; the earliest possible if one never was."""
    return min((source.as_of or NEVER for source in question.sources), default=NEVER)


def stale_lines(folders: Iterable[Path], days: int, today: dt.date) -> Iterator[str]:
    """A line for each question to check again, the oldest first; then those naming a product that is ending."""
    since = today - dt.timedelta(days=days)
    for path in folders:
        glossary = read_glossary(path.parent / "glossary.yaml")
        rows = read_questions(path, glossary)
        old = [(last_checked(row.draft), file, row) for file, row in rows if last_checked(row.draft) <= since]
        for day, file, row in sorted(old, key=lambda each: (each[0], str(each[1]), each[2].draft.key)):
            said = "a source never opened" if day == NEVER else f"a source last opened on {day}"
            yield f"{file}:{row.line('sources')}: [{row.draft.key}] {said}"
        for term in glossary.values():
            if term.status != CURRENT:
                named = [row.draft.key for _, row in rows if _names(row.draft, term)]
                ends = f", ends on {term.ends}" if term.ends else ""
                if named:
                    yield f"{path}: {term.name} is {term.status}{ends}: {', '.join(named)}"


def _names(question: DraftQuestion, term: Term) -> bool:
    return any(names_product(text, term) for _, text in question.prose())
