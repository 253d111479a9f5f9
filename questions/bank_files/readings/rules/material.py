"""All that a reading starts from: an exam's units, its controls, and the readings so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from questions.bank_files.readings.rules.items import BadBank, Unit, read_controls, read_units
from questions.bank_files.readings.rules.records import Readings, read_readings
from questions.catalogue.rules.yaml_fields import BadField, BadYaml

READINGS_FILE = "readings.yaml"
CONTROLS_FILE = "controls.yaml"


class Refused(ValueError):
    """What can't be drawn, read or taken in; the message says why to whoever runs the command, ``code`` to programs."""

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
    """What lies in an exam's folder. Raises Refused where a file of it can't be read."""
    try:
        units, controls = read_units(folder), read_controls(folder / CONTROLS_FILE)
    except BadBank as error:
        raise Refused(str(error)) from error
    return Material(folder.name, tuple(units), tuple(controls), readings_of(folder))


def readings_of(folder: Path) -> Readings:
    """The readings of an exam so far. Raises Refused where their file can't be read."""
    try:
        return read_readings(folder / READINGS_FILE)
    except BadYaml as error:
        raise Refused(f"{READINGS_FILE}:{error.line}: {error.reason}") from error
    except BadField as error:
        raise Refused(f"{READINGS_FILE}: {error.path}: {error.reason}") from error
