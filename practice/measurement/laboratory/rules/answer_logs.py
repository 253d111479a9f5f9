"""Reading a log of answers; pure. A file is read completely or refused with the line and the reason.

CSV, plain or .gz, UTF-8, columns ``learner``, ``item``, ``domain``, ``correct`` (0 or 1) and ``timestamp``, each
learner's answers in their order; other columns are ignored. A timestamp is a number of seconds or an ISO 8601 time; an
empty one repeats that of the answer before. An optional column ``part`` says ``train`` or ``test``, the same in all of
a learner's rows; without it a fifth of the learners, by a checksum of their names, are test.
"""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from practice.measurement.laboratory.rules.response_files import VERDICTS, BadFileError

COLUMNS = ("learner", "item", "domain", "correct", "timestamp")
PART = "part"
PARTS = {"train": False, "test": True}
SECONDS_A_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class LoggedAnswer:
    """One row. ``days`` is its time, never earlier than the learner's previous row; ``test`` means held out."""

    learner: str
    item: str
    domain: str
    right: bool
    days: float
    test: bool


def read_log(path: Path) -> list[LoggedAnswer]:
    """All answers in the file's order. Raises BadFileError for a file that can't be read or isn't as described."""
    try:
        with _opened(path) as file:
            answers = list(_answers(file))
    except (OSError, EOFError, zlib.error) as error:
        raise BadFileError(f"cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        raise BadFileError("is not UTF-8 text") from error
    for part, test in PARTS.items():
        if not any(answer.test is test for answer in answers):
            raise BadFileError(f"has no learner to {part} with")
    return answers


def _opened(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def _answers(file: TextIO) -> Iterator[LoggedAnswer]:
    """Row by row. Errors name the row's line."""
    rows = csv.DictReader(file, restkey="", strict=True)
    last: dict[str, LoggedAnswer] = {}
    try:
        absent = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if absent:
            raise ValueError(f"needs columns {', '.join(COLUMNS)}; has no {', '.join(absent)}")
        for row in rows:
            answer = _answer(row, last.get(row["learner"].strip() if row["learner"] else ""))
            last[answer.learner] = answer
            yield answer
    except (csv.Error, ValueError) as error:
        if isinstance(error, UnicodeDecodeError):
            raise
        raise BadFileError(f"line {max(1, rows.reader.line_num)}: {error}") from error


def _answer(row: Mapping[str, str | None], before: LoggedAnswer | None) -> LoggedAnswer:
    """Raises ValueError with the reason for a bad row."""
    if "" in row or None in row.values():
        raise ValueError("doesn’t have as many cells as the header")
    cells = {name: (cell or "").strip() for name, cell in row.items()}
    for name in ("learner", "item", "domain"):
        if not cells[name]:
            raise ValueError(f"has no {name}")
    right = VERDICTS.get(cells["correct"].casefold())
    if right is None:
        raise ValueError(f"correct is {cells['correct']!r}, neither 0 nor 1")
    test = _is_test(cells)
    if before and before.test is not test:
        raise ValueError(f"learner {before.learner!r} was in the other part before")
    days = _days(cells["timestamp"], before.days if before else 0.0)
    if before and days < before.days:
        raise ValueError(f"learner {before.learner!r} answered this before the row before it: not in answer order")
    return LoggedAnswer(cells["learner"], cells["item"], cells["domain"], right, days, test)


def _is_test(cells: Mapping[str, str]) -> bool:
    if PART not in cells:
        return zlib.crc32(cells["learner"].encode()) % 5 == 0
    if cells[PART] not in PARTS:
        raise ValueError(f"part is {cells[PART]!r}, neither train nor test")
    return PARTS[cells[PART]]


def _days(cell: str, otherwise: float) -> float:
    """The time in days since 1970, or since whatever the file counts its seconds from."""
    if not cell:
        return otherwise
    try:
        seconds = float(cell)
    except ValueError:
        moment = dt.datetime.fromisoformat(cell)
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp()
    if not math.isfinite(seconds):
        raise ValueError(f"timestamp is {cell!r}")
    return seconds / SECONDS_A_DAY
