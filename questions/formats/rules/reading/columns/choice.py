"""The column roles somebody chose for a table whose first row is unknown or missing."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from questions.formats.rules.items import BadFile
from questions.formats.rules.limits import CELLS
from questions.formats.rules.reading.columns.headers import (
    FIELDS,
    LETTERS,
    OPTION_COLUMN,
    SOURCE,
    WRONG_COLUMN,
    Columns,
    arranged,
    plain_name,
    source_part,
)

OPTION, WRONG, NOTHING = "option", "wrong", ""
FIELD_ROLES = ("stem", "correct", "options", "explanation", "title", "tags", "category", "kind", "id")
SOURCE_ROLES = {f"source_{part.replace(' ', '_')}": part for part in SOURCE}
ROLES = (*FIELD_ROLES[:2], OPTION, WRONG, *FIELD_ROLES[2:], *SOURCE_ROLES)
WORDS = {"question": "stem", "answer": "correct", **{role: role for role in ROLES}}
SHOWN = 30  # columns a page offers
CHOICE = re.compile(r"(\w+)=([A-Za-z0-9,-]+)$")


@dataclass(frozen=True)
class Chosen:
    """Each column's role by position; the number of rows above the first question; the sheet."""

    roles: tuple[str, ...]
    above: int = 1
    sheet: int = 0
    from_zero: bool = False


@dataclass(frozen=True)
class Beginning:
    """The first rows of a sheet."""

    sheet: int
    rows: list[list[str]]

    @property
    def width(self) -> int:
        """How many of the shown columns aren't empty."""
        filled = (place for row in self.rows for place, cell in enumerate(row, start=1) if cell.strip())
        return min(SHOWN, max(filled, default=0))


def guessed(beginning: Beginning) -> Chosen:
    """The columns' roles from the names in the first rows; from the row with most matches."""
    named = [(_roles(row), above) for above, row in enumerate(beginning.rows, start=1)]
    roles, above = max(named, key=lambda each: _told(each[0]), default=((), 0))
    known = any(role in FIELD_ROLES for role in roles)
    width = beginning.width
    padded = (*roles, *[NOTHING] * width)[:width] if known else (NOTHING,) * width
    return Chosen(padded, above if known else 0, beginning.sheet)


def _told(roles: Sequence[str]) -> tuple[int, int]:
    """How many columns have a certain role, then how many have any: a number may be a name or an answer."""
    return sum(role in FIELD_ROLES for role in roles), sum(map(bool, roles))


def _roles(row: Sequence[str]) -> tuple[str, ...]:
    return tuple(_role(plain_name(cell)) for cell in row[:CELLS])


def _role(name: str) -> str:
    if name in FIELDS:
        return FIELDS[name] if FIELDS[name] in FIELD_ROLES else NOTHING
    if part := source_part(name):
        # A page asks for one source; in a table with several, the rest is only read by name.
        return f"source_{part[1].replace(' ', '_')}" if part[0] == "1" else NOTHING
    if name and WRONG_COLUMN.match(name):
        return WRONG
    return OPTION if name and OPTION_COLUMN.match(name) else NOTHING


def columns_for(chosen: Chosen) -> Columns | None:
    """The chosen columns; None if the question, its options or the answer is missing or duplicated."""
    fields = {role: place for place, role in enumerate(chosen.roles) if role in FIELD_ROLES}
    source = {SOURCE_ROLES[role]: place for place, role in enumerate(chosen.roles) if role in SOURCE_ROLES}
    if any(chosen.roles.count(role) > 1 for role in (*fields, *SOURCE_ROLES)):
        return None
    places = [place for place, role in enumerate(chosen.roles) if role == OPTION]
    wrong = [place for place, role in enumerate(chosen.roles) if role == WRONG]
    if len(places) > len(LETTERS):
        return None
    found = arranged(fields, dict(zip(LETTERS, places, strict=False)), {}, wrong)
    if found is None:
        return None
    return dataclasses.replace(found, from_zero=chosen.from_zero, sources={"1": source} if source else {})


def parsed(text: str, above: int = 1) -> Chosen:
    """A choice on the command line: ``question=B option=C,D,E,F answer=G``; columns by letter or number.

    Raises BadFile.
    """
    roles: dict[int, str] = {}
    for part in text.split():
        match = CHOICE.match(part)
        role = WORDS.get(match.group(1).lower(), NOTHING) if match else NOTHING
        if not match or not role:
            raise BadFile(f"can’t be read by “{part[:40]}”; write question=B option=C-F answer=G")
        for place in _places(match.group(2)):
            roles[place] = role
    return Chosen(tuple(roles.get(place, NOTHING) for place in range(max(roles, default=-1) + 1)), above)


def _places(text: str) -> Iterator[int]:
    for part in text.split(","):
        ends = [_place(end) for end in part.split("-")]
        if len(ends) > 2 or not all(0 <= end < CELLS for end in ends):
            raise BadFile(f"has no column “{part[:40]}”")
        yield from range(ends[0], ends[-1] + 1)


def _place(text: str) -> int:
    """A column's position, from 0: both A and 1 are the first."""
    if text.isdecimal():
        return int(text) - 1
    place = 0
    for letter in text.upper():
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1
