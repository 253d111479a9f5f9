"""An exam's ``readings.yaml``: what each reader answered, kept outside the questions, so that a reading isn't an edit.

Records are only added. A reading is tied to texts by their fingerprint; when they change, it expires but stays on file.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

from questions.catalogue.rules.yaml_fields import BadField, date, list_of, mapping, plain, read_yaml

READERS = ("person", "model")
SOUND, GIVEN_AWAY = "sound", "given away"
TWO_DEFENSIBLE, WRONG_FACT = "two defensible", "wrong fact"
VERDICTS = (SOUND, TWO_DEFENSIBLE, "too easy", GIVEN_AWAY, "unnatural", WRONG_FACT)
OPEN_VERDICTS = (TWO_DEFENSIBLE, WRONG_FACT)  # a question can't be asked with one of these
CONFIDENCES = (1, 2, 3)  # guessed, leaning, sure
HEAD = """\
# What readers answered (docs/writing-questions.md). manage.py options_only and prompt_reading add to it.
# options: the options of a unit alone, no stem; hits says how many of its variants the guess answered on that day.
# prompts: the whole prompt of one question and no sibling of it.
# text: a fingerprint of what was shown. A reading whose text differs from today's has expired; empty: not recorded.
"""


@dataclass(frozen=True)
class OptionsReading:
    """One reader's guess at one set of options, with its score on that day."""

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
    """One reader's answer to one prompt, and the verdict."""

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


@dataclass(frozen=True)
class Readings:
    """All readings on file for an exam, oldest first."""

    options: tuple[OptionsReading, ...] = ()
    prompts: tuple[PromptReading, ...] = ()

    def plus(self, options: Iterable[OptionsReading] = (), prompts: Iterable[PromptReading] = ()) -> Readings:
        """These readings followed by new ones."""
        return Readings((*self.options, *options), (*self.prompts, *prompts))


Record = TypeVar("Record", OptionsReading, PromptReading)


def read_readings(path: Path) -> Readings:
    """The readings in a file; none without a file. Raises BadField or BadYaml."""
    if not path.exists():
        return Readings()
    row = mapping(read_yaml(path.read_text(encoding="utf-8"))[0], "", {"options", "prompts"}, {"options", "prompts"})
    return Readings(_records(row, "options", OptionsReading), _records(row, "prompts", PromptReading))


def _records(row: dict[str, Any], name: str, of: type[Record]) -> tuple[Record, ...]:
    return tuple(_record(value, f"{name}[{i}]", of) for i, value in enumerate(list_of(row.get(name, []), name)))


def _record(value: Any, path: str, of: type[Record]) -> Record:
    fields = [field.name for field in dataclasses.fields(of)]
    row = mapping(value, path, set(fields), {"note"})
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


def _of_type(*types: type) -> Callable[[Any, str], Any]:
    def check(value: Any, path: str) -> Any:
        if type(value) not in types:
            raise BadField(path, f"must be of type {types[0].__name__}")
        return value

    return check


_FIELDS: dict[str, Callable[[Any, str], Any]] = {
    "on": date,
    "guess": _slots,
    "answered": _slots,
    "chance": _of_type(float, int),
    **dict.fromkeys(("control", "agrees"), _of_type(bool)),
    **dict.fromkeys(("confidence", "variants", "hits", "round"), _of_type(int)),
}


def as_text(readings: Readings) -> str:
    rows = {
        "options": [_row(each) for each in readings.options],
        "prompts": [_row(each) for each in readings.prompts],
    }
    return HEAD + yaml.safe_dump(rows, sort_keys=False, allow_unicode=True, width=120)


def _row(record: OptionsReading | PromptReading) -> dict[str, Any]:
    row = dataclasses.asdict(record)
    if row.get("note") == "":
        del row["note"]
    return {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
