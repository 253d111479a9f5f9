"""Whether an exam's bank keeps to its targets for what readers and the cue probe find."""

from __future__ import annotations

from collections.abc import Iterator

from questions.bank_files.readings.rules.figures import KINDS, Figures, bank_rows
from questions.bank_files.readings.rules.material import Material
from questions.bank_files.readings.rules.probe.probe import guess
from questions.bank_files.readings.rules.records import GIVEN_AWAY, SOUND
from questions.catalogue.rules.exam_file import Targets
from questions.lint.rules import CUE_PROBE, GIVEN_AWAY_SHARE, LEAK, SOUND_SHARE, Problem

PROBED = ("all", *KINDS)
"""The rows held to the probe's target. Pools and domains are only shown: two standard errors of the rate in a domain of
200 questions are six points."""


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
