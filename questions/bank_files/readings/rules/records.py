"""An exam's ``readings.jsonl``: what each reader answered, kept outside the questions, because a reading isn't an edit.

A line is a record, and records are only added. A reading is tied to texts by their fingerprint; when they change, it
expires but stays on file.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from questions.catalogue.rules.yaml_fields import BadField, list_of, mapping, plain

READERS = ("person", "model")
SOUND, GIVEN_AWAY = "sound", "given away"
TWO_DEFENSIBLE, WRONG_FACT = "two defensible", "wrong fact"
VERDICTS = (SOUND, TWO_DEFENSIBLE, "too easy", GIVEN_AWAY, "unnatural", WRONG_FACT)
OPEN_VERDICTS = (TWO_DEFENSIBLE, WRONG_FACT)  # a question can't be asked with one of these
CONFIDENCES = (1, 2, 3)  # guessed, leaning, sure


@dataclass(frozen=True)
class OptionsReading:
    """One reader's guess at a unit's options, without a stem, with its score on that day.

    ``text`` is a fingerprint of what was shown, empty if that wasn't recorded; ``hits`` says how many of the unit's
    ``variants`` the guess answered.
    """

    unit: str
    text: str
    reader: str
    reader_kind: str
    on: dt.date
    guess: tuple[int, ...]
    confidence: int
    control: bool
    domain: str
    kind: str
    variants: int
    hits: int
    chance: float


@dataclass(frozen=True)
class PromptReading:
    """One reader's answer to the whole prompt of one question, and the verdict. ``text``: its fingerprint."""

    question: str
    text: str
    round: int
    reader: str
    reader_kind: str
    on: dt.date
    answered: tuple[int, ...]
    agrees: bool
    confidence: int
    verdict: str
    domain: str
    kind: str
    note: str = ""


FIELDS_OF = {of: {field.name for field in dataclasses.fields(of)} for of in (OptionsReading, PromptReading)}


@dataclass(frozen=True)
class Readings:
    """All readings on file for an exam, oldest first."""

    options: tuple[OptionsReading, ...] = ()
    prompts: tuple[PromptReading, ...] = ()

    def plus(self, options: Iterable[OptionsReading] = (), prompts: Iterable[PromptReading] = ()) -> Readings:
        """These readings followed by new ones."""
        return Readings((*self.options, *options), (*self.prompts, *prompts))


def read_readings(path: Path) -> Readings:
    """The readings in a file; none without a file. Raises BadField, with the line."""
    if not path.exists():
        return Readings()
    with path.open(encoding="utf-8") as lines:  # not splitlines(), which also splits at signs that a note may contain
        records = [_record(line, f"line {i}") for i, line in enumerate(lines, 1)]
    return Readings(
        tuple(each for each in records if isinstance(each, OptionsReading)),
        tuple(each for each in records if isinstance(each, PromptReading)),
    )


def _record(line: str, path: str) -> OptionsReading | PromptReading:
    """A reading of options if it names a unit, otherwise of a prompt."""
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadField(path, "is not JSON") from error
    of = OptionsReading if isinstance(value, dict) and "unit" in value else PromptReading
    row = mapping(value, path, FIELDS_OF[of], {"note"})
    read = {name: _FIELDS.get(name, plain)(each, f"{path}.{name}") for name, each in row.items()}
    if read["reader_kind"] not in READERS:
        raise BadField(f"{path}.reader_kind", f"must be one of {', '.join(READERS)}")
    if "verdict" in read and read["verdict"] not in VERDICTS:
        raise BadField(f"{path}.verdict", f"must be one of {', '.join(VERDICTS)}")
    return of(**read)


def _slots(value: Any, path: str) -> tuple[int, ...]:
    slots = list_of(value, path)
    if not all(type(slot) is int for slot in slots):
        raise BadField(path, "must be a list of slots")
    return tuple(slots)


def _date(value: Any, path: str) -> dt.date:
    try:
        return dt.date.fromisoformat(plain(value, path))
    except ValueError as error:
        raise BadField(path, "must be a date like 2026-06-30") from error


def _of_type(*types: type) -> Callable[[Any, str], Any]:
    def check(value: Any, path: str) -> Any:
        if type(value) not in types:
            raise BadField(path, f"must be of type {types[0].__name__}")
        return value

    return check


_FIELDS: dict[str, Callable[[Any, str], Any]] = {
    "on": _date,
    "guess": _slots,
    "answered": _slots,
    "chance": _of_type(float, int),
    **dict.fromkeys(("control", "agrees"), _of_type(bool)),
    **dict.fromkeys(("confidence", "variants", "hits", "round"), _of_type(int)),
}


def as_text(readings: Readings) -> str:
    lines = [*map(_line, readings.options), *map(_line, readings.prompts)]
    return "".join(f"{line}\n" for line in lines)


def _line(record: OptionsReading | PromptReading) -> str:
    row = {**dataclasses.asdict(record), "on": record.on.isoformat()}
    if row.get("note") == "":
        del row["note"]
    return json.dumps(row, ensure_ascii=False)
