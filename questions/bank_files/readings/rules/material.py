"""Everything a reading needs: an exam's units, its controls, and the readings so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from questions.bank_files.readings.rules.items import BadBank, Unit, read_controls, read_units, units_of
from questions.bank_files.readings.rules.records import Readings, read_readings
from questions.bank_files.rules.folder import ExamFolder
from questions.catalogue.rules.yaml_fields import BadField

READINGS_FILE = "readings.jsonl"
CONTROLS_FILE = "controls.yaml"


class Refused(ValueError):
    """A sheet that can't be drawn, read or recorded; the message is for the person running the command, ``code`` for
    programs."""

    def __init__(self, message: str, code: str = "unreadable") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Material:
    """One exam's folder, as far as readers are concerned."""

    exam: str
    units: tuple[Unit, ...]
    controls: tuple[Unit, ...] = ()
    readings: Readings = field(default_factory=Readings)


def read_material(folder: Path) -> Material:
    """The contents of an exam's folder. Raises Refused if one of its files can't be read."""
    try:
        units, controls = read_units(folder), read_controls(folder / CONTROLS_FILE)
    except BadBank as error:
        raise Refused(str(error)) from error
    return Material(folder.name, tuple(units), tuple(controls), readings_of(folder))


def material_of(folder: ExamFolder) -> Material:
    """The questions in use of an exam that has been read, and their readings. Raises Refused."""
    return Material(folder.path.name, tuple(units_of(folder.questions)), readings=readings_of(folder.path))


def readings_of(folder: Path) -> Readings:
    """The readings of an exam so far. Raises Refused if their file can't be read."""
    try:
        return read_readings(folder / READINGS_FILE)
    except BadField as error:
        raise Refused(f"{READINGS_FILE}: {error.path}: {error.reason}") from error
