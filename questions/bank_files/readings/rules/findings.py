"""What readings and the cue probe say about questions and their bank, as findings beside those of the lint rules."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from questions.bank_files.readings.rules.figures import last_verdicts
from questions.bank_files.readings.rules.gates import lint_readings
from questions.bank_files.readings.rules.leak import both_hit
from questions.bank_files.readings.rules.material import Material, Refused, material_of
from questions.bank_files.readings.rules.records import OPEN_VERDICTS
from questions.bank_files.rules.across import Finding, at_their_lines
from questions.bank_files.rules.file import FileProblem, format_problem
from questions.bank_files.rules.folder import ExamFolder
from questions.lint.rules import DISPUTED, GUESSABLE, OPEN_VERDICT, REFUSE, WARN, Problem
from questions.versions.rules.draft import DraftQuestion

TOLD = "two readers hit the key without the scenario"


def readings_say(folder: ExamFolder) -> Iterator[FileProblem]:
    """Every finding on single questions and on the bank; and readings that can't be parsed."""
    try:
        material = material_of(folder)
    except Refused as error:
        yield format_problem(folder.path, 1, "readings", str(error))
        return
    found = [*_guessable(folder.questions, material), *_verdicts(folder.questions, material)]
    yield from at_their_lines(folder.rows, found)
    if folder.exam:
        yield from map(folder.exam_problem, lint_readings(material, folder.exam.targets))


def _guessable(drafts: Collection[DraftQuestion], material: Material) -> Iterator[Finding]:
    hit = {unit.key for unit in material.units if both_hit(unit, material.readings.options)}
    for draft in drafts:
        if draft.key in hit:
            severity = REFUSE if draft.pool == "reserved" else WARN
            yield draft, Problem(GUESSABLE.id, severity, "options", TOLD)


def _verdicts(drafts: Collection[DraftQuestion], material: Material) -> Iterator[Finding]:
    items = [item for unit in material.units for item in unit.variants]
    last = {each.question: each for each in last_verdicts(material.readings.prompts, items)}
    for draft in drafts:
        reading = last.get(draft.key)
        if reading and not reading.agrees:
            yield draft, DISPUTED.problem("options", f"reader {reading.reader} answered otherwise on {reading.on}")
        if reading and reading.verdict in OPEN_VERDICTS:
            message = f"{reading.verdict}, says reader {reading.reader}: {reading.note}"
            yield draft, OPEN_VERDICT.problem("stem", message)
