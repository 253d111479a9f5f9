"""What readings say about individual questions, as findings alongside those of the lint rules."""

from __future__ import annotations

from collections.abc import Iterator

from questions.bank_files.readings.rules.items import units_of
from questions.bank_files.readings.rules.leak import both_hit
from questions.bank_files.readings.rules.material import Refused, readings_of
from questions.bank_files.rules.across import at_their_lines
from questions.bank_files.rules.file import FileProblem, format_problem
from questions.bank_files.rules.folder import ExamFolder
from questions.lint.rules import GUESSABLE, REFUSE, WARN, Problem

TOLD = "two readers hit the key without the scenario"


def readings_say(folder: ExamFolder) -> Iterator[FileProblem]:
    """Questions whose options gave the key away to two readers; and readings that can't be parsed."""
    try:
        readings = readings_of(folder.path)
    except Refused as error:
        yield format_problem(folder.path, 1, "readings", str(error))
        return
    hit = {unit.key for unit in units_of(folder.questions) if both_hit(unit, readings.options)}
    found = [
        (row.draft, Problem(GUESSABLE.id, REFUSE if row.draft.pool == "reserved" else WARN, "options", TOLD))
        for _, row in folder.rows
        if row.draft.key in hit
    ]
    yield from at_their_lines(folder.rows, found)
