"""A sheet that a reader gets, fills in and returns. It says nothing about the bank except the exam."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import yaml

from questions.bank_files.readings.rules.material import Refused
from questions.bank_files.readings.rules.records import CONFIDENCES, READERS
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, list_of, mapping, plain, read_yaml

LETTERS = "ABCDEFGHIJKLMN"
FRAME = ("exam", "reader", "reader_kind", "drawn")


@dataclass(frozen=True)
class Reader:
    """The reader: a number or name, whether a person or a model, and the domains they wrote in."""

    name: str
    kind: str
    wrote: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    reader: Reader
    rows: tuple[dict[str, Any], ...]


class _Dumper(yaml.SafeDumper):
    """Multi-line texts are dumped as they are, so that a reader sees them as a learner would."""


def _block(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else "")


_Dumper.add_representer(str, _block)


def sheet_text(
    how_to: str, exam: str, reader: Reader, today: dt.date, name: str, rows: Iterable[Mapping[str, Any]]
) -> str:
    frame = dict(zip(FRAME, (exam, reader.name, reader.kind, today), strict=True))
    body = yaml.dump({**frame, name: list(rows)}, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return "".join(f"# {line}\n" for line in how_to.strip().splitlines()) + body


def read_sheet(text: str, name: str, fields: set[str]) -> Sheet:
    """The sheet, with all its rows' fields; raises Refused with the place and the reason."""
    try:
        top = mapping(read_yaml(text)[0], "", {*FRAME, name})
        rows = tuple(mapping(row, f"{name}[{i}]", fields) for i, row in enumerate(list_of(top[name], name)))
        if top["reader_kind"] not in READERS:
            raise BadField("reader_kind", f"must be one of {', '.join(READERS)}")
        reader = Reader(plain(top["reader"], "reader"), top["reader_kind"])
        return Sheet(reader, rows)
    except BadYaml as error:
        raise Refused(f"line {error.line}: {error.reason}") from error
    except BadField as error:
        raise Refused(f"{error.path or 'sheet'}: {error.reason}") from error


def exam_of(text: str) -> str:
    """The exam a sheet was drawn for. Raises Refused."""
    try:
        top = read_yaml(text)[0]
    except BadYaml as error:
        raise Refused(f"line {error.line}: {error.reason}") from error
    if not isinstance(top, dict) or not isinstance(top.get("exam"), str):
        raise Refused("names no exam", "no-exam")
    return top["exam"]


def shuffled(options: Sequence[tuple[int, str]], rng: Random) -> dict[str, str]:
    """Texts by letter, in random order."""
    drawn = rng.sample(options, len(options))
    return {letter: text for letter, (_, text) in zip(LETTERS, drawn, strict=False)}


def random_id(rng: Random) -> str:
    """A meaningless id; the texts identify the items, so no mapping of ids has to be kept."""
    return f"r{rng.getrandbits(32):08x}"


def texts_of(row: Mapping[str, Any]) -> list[str]:
    """The options that a row shows. Raises Refused."""
    options = row["options"]
    if not isinstance(options, dict) or not all(isinstance(text, str) for text in options.values()):
        raise Refused(f"{row['id']}: its options must stay as they were drawn", "options-changed")
    return list(options.values())


def slots_of(row: Mapping[str, Any], field: str, options: Sequence[tuple[int, str]], choose: int) -> tuple[int, ...]:
    """The slots for the letters the reader wrote. Raises Refused if there are too few, too many or none."""
    letters = row[field]
    if not isinstance(letters, list) or len(set(letters)) != choose or not set(letters) <= set(row["options"]):
        raise Refused(f"{row['id']}: {field} must be {choose} of the letters {', '.join(row['options'])}", "letters")
    slot_by_text = {" ".join(text.split()): slot for slot, text in options}
    return tuple(sorted(slot_by_text[" ".join(row["options"][letter].split())] for letter in letters))


def confidence_of(row: Mapping[str, Any]) -> int:
    """How sure the reader was. Raises Refused."""
    if row["confidence"] not in CONFIDENCES:
        raise Refused(f"{row['id']}: confidence must be 1, 2 or 3", "confidence")
    return int(row["confidence"])
