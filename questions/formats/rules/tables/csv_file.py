"""CSV (RFC 4180) with commas, semicolons or tabs; docs/formats.md has the columns."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO

from questions.formats.rules.items import BadFile, Found, Item, Skipped
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.reading.columns.headers import PREFACE, Answers, Columns, columns_of, counted
from questions.formats.rules.reading.text_lines import Line, lines_of
from questions.formats.rules.tables.tables import header_of, item_of_row, row_of

NO_START = "numbers the right options by an index that may begin at 0 or 1; say which columns are what, and which it is"
DELIMITERS = ",;\t|"
NO_HEADER = (
    "needs columns for the question, at least two options and the right answer; "
    "name them in the first row, like “question, option a, option b, correct”, or say which columns they are"
)


def read(stream: BinaryIO) -> Iterator[Found]:
    """Every row below the header. Raises BadFile if none of the first rows is a header."""
    rows = rows_of(lines_of(stream))
    columns = _header(rows)
    if columns is None:
        raise BadFile(NO_HEADER)
    answers = Answers()
    for _, row in rows:
        if isinstance(row, list):
            answers.add(columns, row)
    columns = counted(columns, answers)
    if columns is None:
        raise BadFile(NO_START)
    rows = rows_of(lines_of(stream))
    _header(rows)
    for line, row in rows:
        if isinstance(row, str):
            yield Skipped(line, "question", row)
        elif columns.are_filled(row):
            yield item_of_row(columns, line, row)


def header_in(text: str) -> bool:
    """Whether one of a text's first rows is a header."""
    return _header(rows_of(enumerate(io.StringIO(text), start=1))) is not None


def _header(rows: Iterator[tuple[int, list[str] | str]]) -> Columns | None:
    for _, row in islice(rows, PREFACE):
        columns = columns_of(row) if isinstance(row, list) else None
        if columns:
            return columns
    return None


def rows_of(lines: Iterable[Line]) -> Iterator[tuple[int, list[str] | str]]:
    """Line and cells of each row, or why it isn't one; then the next line starts a row."""
    source = iter(lines)
    again = deque(islice(source, PREFACE))
    delimiter = _delimiter([text for _, text in again if text.strip()])
    while (line := again.popleft() if again else next(source, None)) is not None:
        if not line[1].strip():
            continue
        held = [line]
        try:
            yield line[0], next(csv.reader(_from(held, source, again), delimiter=delimiter, strict=True))
        except csv.Error as error:
            again.extendleft(reversed(held[1:]))
            yield line[0], f"is not a row of CSV: {error}"


def _delimiter(first: list[str]) -> str:
    """The one that makes a line a header, else the most frequent one in the first line."""
    for text in first:
        for delimiter in DELIMITERS:
            if columns_of(text.rstrip("\n").replace('"', "").split(delimiter)):
                return delimiter
    return max(DELIMITERS, key=first[0].count) if first else DELIMITERS[0]


def _from(held: list[Line], source: Iterator[Line], again: deque[Line]) -> Iterator[str]:
    """The lines of one row, kept in ``held``, as many as the parser asks for."""
    size = len(held[0][1])
    yield held[0][1]
    while size <= ITEM_CHARACTERS and (line := again.popleft() if again else next(source, None)) is not None:
        held.append(line)
        size += len(line[1])
        yield line[1]


def write(items: Iterable[Item]) -> Iterator[str]:
    """Items as CSV with a header row."""
    items = list(items)
    header = header_of(items)
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(header)
    rows.writerows(row_of(item, header) for item in items)
    yield text.getvalue()
