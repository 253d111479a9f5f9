"""The targets a bank is held to beside its texts: what readers and the cue probe find, and a table of all gates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from questions.bank_files.readings.rules.figures import KINDS, Figures, as_table, bank_rows
from questions.bank_files.readings.rules.items import POOLS
from questions.bank_files.readings.rules.material import Material, material_of
from questions.bank_files.readings.rules.probe.probe import Guessed, guess
from questions.bank_files.readings.rules.records import GIVEN_AWAY, OPEN_VERDICTS, SOUND, Readings
from questions.bank_files.rules.checks import cue_pairs
from questions.bank_files.rules.folder import ExamFolder, exam_folders, read_unchecked
from questions.bank_files.rules.table import as_line, bank_table
from questions.catalogue.rules.exam_file import Targets
from questions.lint.rules import CUE_PROBE, GIVEN_AWAY_SHARE, LEAK, SOUND_SHARE, Problem
from questions.lint.rules.bank.families import in_families, wide_families

PROBED = ("all", *POOLS, *KINDS)
"""The rows held to the probe's target. Domains are only shown: two standard errors of the rate in a domain of 200
questions are six points."""


def lint_readings(material: Material, targets: Targets) -> Iterator[Problem]:
    """Findings on the questions in use, for which the exam has a target."""
    for row in bank_rows(material, waiting=False, probe={}):
        if row.questions:
            yield from _leak(row, targets.leak)
            yield from _verdicts(row, targets)
    if targets.probe:
        yield from _probe(material, targets.probe)


def _leak(row: Figures, most: int) -> Iterator[Problem]:
    if most and row.leak is None:
        yield LEAK.problem("targets.leak", f"{row.name}: nobody has read the options alone")
    elif most and row.leak and 100 * row.leak.value > most:
        yield LEAK.problem("targets.leak", f"{row.name}: {row.leak.value:.3f}; the target is {most / 100:.2f} or less")


def _verdicts(row: Figures, targets: Targets) -> Iterator[Problem]:
    sound, given = (100 * row.verdicts[verdict] / row.questions for verdict in (SOUND, GIVEN_AWAY))
    if sound < targets.sound:
        message = f"{row.name}: {sound:.1f}% of {row.questions}; the target is {targets.sound}% or more"
        yield SOUND_SHARE.problem("targets.sound", message)
    if targets.given_away and given > targets.given_away:
        message = f"{row.name}: {given:.1f}% of {row.questions}; the target is {targets.given_away}% or less"
        yield GIVEN_AWAY_SHARE.problem("targets.given_away", message)


def _probe(material: Material, most: int) -> Iterator[Problem]:
    found = guess([unit for unit in material.units if not unit.waits])
    for name in PROBED:
        if name in found and found[name].points > most:
            message = f"{name}: {found[name]}; the target is {most} points above chance or less"
            yield CUE_PROBE.problem("targets.probe", message)


@dataclass(frozen=True)
class Read:
    """An exam's folder with what readers and the probe say about its questions in use."""

    folder: ExamFolder
    material: Material
    probed: Mapping[str, Guessed]

    @classmethod
    def of(cls, folder: ExamFolder) -> Read:
        material = material_of(folder)
        return cls(folder, material, guess(material.units))

    def rows(self) -> list[Figures]:
        return bank_rows(self.material, waiting=False, probe={name: str(row) for name, row in self.probed.items()})


def bank_tables(fixtures: Path, readings: Path) -> dict[str, str]:
    """The tables in README.md, by their mark; ``readings`` is the folder of earlier second readings."""
    folders = [read_unchecked(path) for path in exam_folders(fixtures)]
    banks = list(map(Read.of, folders))
    return {"bank": bank_table(folders, readings), "gates": gates_table(banks), "readings": readings_tables(banks)}


def readings_tables(banks: Iterable[Read]) -> str:
    """What readers and the probe found about the questions in use: a table per exam with readings."""
    read = [bank for bank in banks if bank.material.readings != Readings()]
    return "\n\n".join(f"**{bank.material.exam}**\n\n{as_table(bank.rows())}" for bank in read)


def gates_table(banks: Iterable[Read]) -> str:
    """What ``lint_bank`` holds each exam's bank to, with the figure and its limit."""
    columns = {bank.material.exam: _cells(bank, bank.folder.exam.targets) for bank in banks if bank.folder.exam}
    gates = dict.fromkeys(gate for cells in columns.values() for gate in cells)
    rows = [[gate, *(cells.get(gate, "") for cells in columns.values())] for gate in gates]
    return "\n".join(map(as_line, [["Gate", *columns], ["---"] * (1 + len(columns)), *rows]))


def _cells(bank: Read, targets: Targets) -> dict[str, str]:
    folder, row, probed = bank.folder, bank.rows()[0], bank.probed
    questions = folder.questions
    waived = sum(len(each.waive) for _, each in folder.rows) + sum(targets.allowed.values())
    public = sum(question.pool == "open" for question in questions)
    return {
        "Public questions": f"{public} (at least {targets.public})",
        "Questions in a family of two to four": f"{in_families(questions):.0f}% (at least {targets.in_families}%)",
        "Public families of three or more": f"{wide_families(questions):.0f}% (at least {targets.wide_families}%)",
        "Leak of the options alone": f"{row.leak.value:.2f} (at most {targets.leak / 100:.2f})" if row.leak else "",
        **{f"Cue probe, {name}": _probe_cell(each, targets.probe) for name, each in probed.items() if name in PROBED},
        "Texts that tell another question’s key": f"{len(cue_pairs(folder))} (none)",
        "Sound": f"{row.share(SOUND):.0%} (at least {targets.sound}%)",
        "Given away by the wording": f"{row.share(GIVEN_AWAY):.0%} (at most {targets.given_away}%)",
        "Two defensible options, or a wrong fact": f"{sum(row.verdicts[each] for each in OPEN_VERDICTS)} (none)",
        "Readers who differ from the key": f"{row.verdicts.total() - row.agree} (none)",
        "Lint warnings waived or allowed": f"{waived} (none)",
    }


def _probe_cell(found: Guessed, most: int) -> str:
    return f"{found.rate:.0%}, chance {found.chance:.0%} (at most {most} points above)"
