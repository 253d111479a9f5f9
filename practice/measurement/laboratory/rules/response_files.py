"""Reading response files; pure. A file is read completely or refused with the line and the reason.

Three forms of CSV, plain or .gz, UTF-8:

- long: columns ``learner``, ``item`` and ``correct`` (others are ignored), one answer a line;
- wide: a column ``learner``, every other column an item, cells 0 or 1;
- wide with chosen options: the same with one line whose learner is ``KEY`` (in any case) and whose cells are the right
  options; cells name the option chosen, several joined by ``+`` and compared as a set.

A blank cell was not answered, nor was one that says ``NA`` or ``NaN``, as R and pandas write it.
"""

from __future__ import annotations

import csv
import gzip
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, TextIO

import numpy as np

from practice.measurement.calibration.rules.classical import Choices
from practice.measurement.calibration.rules.triplets import Answers

VERDICTS = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}
BLANK = {"", "NA", "NaN", "nan"}
LEARNER = "learner"
LONG = (LEARNER, "item", "correct")
KEY = "key"


class BadFileError(ValueError):
    """Why a response file is refused, with the line if there is one; can be shown to users."""


@dataclass(frozen=True)
class ResponseFile:
    """A file's contents: names in order of appearance, the answers as indices into them, chosen options if any."""

    learners: tuple[str, ...]
    items: tuple[str, ...]
    answers: Answers
    choices: Choices | None = None


@dataclass(frozen=True)
class Line:
    """A row of stripped cells, and the number of its last line in the file."""

    number: int
    cells: list[str]

    def refuse(self, reason: str) -> NoReturn:
        """Raise BadFileError with this line's number."""
        raise BadFileError(f"line {self.number}: {reason}")


@dataclass
class _Draft:
    learners: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    learner: list[int] = field(default_factory=list)
    item: list[int] = field(default_factory=list)
    correct: list[bool] = field(default_factory=list)

    def add(self, learner: int, item: int, correct: bool) -> None:
        self.learner.append(learner)
        self.item.append(item)
        self.correct.append(correct)

    def finished(self, choices: Choices | None = None) -> ResponseFile:
        """The whole file. Raises BadFileError if it has no answers."""
        if not self.correct:
            raise BadFileError("the file holds no answers")
        answers = Answers(
            np.array(self.learner, dtype=np.int32),
            np.array(self.item, dtype=np.int32),
            np.array(self.correct, dtype=np.bool_),
            len(self.learners),
            len(self.items),
        )
        return ResponseFile(tuple(self.learners), tuple(self.items), answers, choices)


def read_responses(path: Path) -> ResponseFile:
    """Read a file in any of the three forms. Raises BadFileError for one that can't be read or isn't as described."""
    try:
        with _opened(path) as file:
            lines = _lines(file)
            head = next(lines, None)
            if head is None:
                raise BadFileError("the file is empty")
            names = _header(head)
            if all(name in names for name in LONG):
                return _read_long(names, lines)
            if LEARNER not in names:
                head.refuse("needs a column 'learner' (and in the long form 'item' and 'correct')")
            return _read_wide(names, list(lines))
    except (OSError, EOFError, zlib.error) as error:
        raise BadFileError(f"cannot be read: {error}") from error


def _opened(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _lines(file: TextIO) -> Iterator[Line]:
    """The non-empty rows."""
    reader = csv.reader(file, strict=True)
    try:
        for cells in reader:
            if cells:
                yield Line(reader.line_num, [cell.strip() for cell in cells])
    except csv.Error as error:
        raise BadFileError(f"line {reader.line_num}: {error}") from error
    except UnicodeDecodeError as error:
        raise BadFileError(f"line {reader.line_num + 1} or later: not UTF-8 text") from error


def _header(head: Line) -> list[str]:
    """The column names, the reserved ones in lower case."""
    names = [name.casefold() if name.casefold() in LONG else name for name in head.cells]
    for place, name in enumerate(names):
        if not name:
            head.refuse(f"column {place + 1} has no name")
        if name in names[:place]:
            head.refuse(f"two columns are called {name!r}")
    return names


def _cells(line: Line, names: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """The wanted columns of a line, which must have as many cells as the header."""
    if len(line.cells) != len(names):
        line.refuse(f"has {len(line.cells)} cells where the header has {len(names)}")
    by_name = dict(zip(names, line.cells, strict=True))
    return [by_name[name] for name in wanted]


def _verdict(line: Line, item: str, cell: str) -> bool:
    verdict = VERDICTS.get(cell.casefold())
    if verdict is None:
        line.refuse(f"item {item!r}: {cell!r} is neither 0 nor 1 nor blank")
    return verdict


def _read_long(names: list[str], lines: Iterator[Line]) -> ResponseFile:
    draft = _Draft()
    seen: dict[tuple[int, int], int] = {}
    for line in lines:
        learner, item, cell = _cells(line, names, LONG)
        if not learner or not item:
            line.refuse("has no learner" if not learner else "has no item")
        who = draft.learners.setdefault(learner, len(draft.learners))
        what = draft.items.setdefault(item, len(draft.items))
        if cell in BLANK:
            continue
        first = seen.setdefault((who, what), line.number)
        if first != line.number:
            line.refuse(f"learner {learner!r} has answered item {item!r} on line {first} already")
        draft.add(who, what, _verdict(line, item, cell))
    return draft.finished()


def _read_wide(names: list[str], lines: list[Line]) -> ResponseFile:
    items = [name for name in names if name != LEARNER]
    draft = _Draft(items={name: number for number, name in enumerate(items)})
    rows: list[tuple[Line, list[str]]] = []
    key: tuple[Line, list[str]] | None = None
    for line in lines:
        learner, *cells = _cells(line, names, [LEARNER, *items])
        if not learner:
            line.refuse("has no learner")
        if learner.casefold() == KEY:
            if key:
                line.refuse(f"a second key; the first is on line {key[0].number}")
            key = line, cells
        elif learner in draft.learners:
            line.refuse(f"learner {learner!r} has a line already")
        else:
            draft.learners[learner] = len(draft.learners)
            rows.append((line, cells))
    if key:
        return _marked(draft, items, rows, key)
    for who, (line, cells) in enumerate(rows):
        for what, cell in enumerate(cells):
            if cell not in BLANK:
                draft.add(who, what, _verdict(line, items[what], cell))
    return draft.finished()


def _marked(
    draft: _Draft, items: list[str], rows: list[tuple[Line, list[str]]], key: tuple[Line, list[str]]
) -> ResponseFile:
    keys = [_options(key[0], item, cell) for item, cell in zip(items, key[1], strict=True)]
    for item, right in zip(items, keys, strict=True):
        if not right:
            key[0].refuse(f"item {item!r} has no key")
    chosen = []
    for who, (line, cells) in enumerate(rows):
        for what, cell in enumerate(cells):
            picked = _options(line, items[what], cell)
            if picked:
                draft.add(who, what, picked == keys[what])
                chosen.append(picked)
    return draft.finished(_choices(keys, draft.item, chosen))


def _options(line: Line, item: str, cell: str) -> frozenset[str]:
    """The options a cell names; none if it is blank."""
    if cell in BLANK:
        return frozenset()
    options = frozenset(part.strip() for part in cell.split("+"))
    if "" in options:
        line.refuse(f"item {item!r}: an option is missing beside '+' in {cell!r}")
    return options


def _choices(keys: list[frozenset[str]], item: list[int], chosen: list[frozenset[str]]) -> Choices:
    """The chosen options as indices into each item's options, which are sorted by name."""
    known = [set(key) for key in keys]
    for what, picked in zip(item, chosen, strict=True):
        known[what] |= picked
    options = tuple(tuple(sorted(each)) for each in known)
    places = [{name: place for place, name in enumerate(each)} for each in options]
    pairs = [(n, places[item[n]][name]) for n, picked in enumerate(chosen) for name in sorted(picked)]
    answer, option = np.array(pairs, dtype=np.int32).reshape(-1, 2).T
    return Choices(answer, option, options, tuple(keys))
