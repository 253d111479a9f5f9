"""CSV (RFC 4180) with commas, semicolons or tabs; docs/formats.md has the columns."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterable, Iterator

from questions.formats.rules.items import BadFile, Found, Item, Skipped
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.reading.text_lines import Line
from questions.formats.rules.tables.tables import columns_of, header_of, item_of_row, row_of

DELIMITERS = ",;\t|"
NO_HEADER = (
    "needs columns for the question, at least two options and the right answer; "
    "name them in the first row, like “question, option a, option b, correct”"
)


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every row under the first one. Raises BadFile where the first one does not name the columns."""
    rows = _rows(lines)
    header = next(rows, (1, ""))[1]
    columns = columns_of(header) if isinstance(header, list) else None
    if columns is None:
        raise BadFile(NO_HEADER)
    for line, row in rows:
        if isinstance(row, str):
            yield Skipped(line, "question", row)
        elif any(cell.strip() for cell in row):
            yield item_of_row(columns, line, row)


def header_in(text: str) -> bool:
    """Whether a text begins with a first row that names the columns."""
    first = next(_rows(enumerate(io.StringIO(text), start=1)), None)
    return first is not None and isinstance(first[1], list) and columns_of(first[1]) is not None


def _rows(lines: Iterable[Line]) -> Iterator[tuple[int, list[str] | str]]:
    """Line and cells of each row, or the reason why it is none; then the next line begins a row."""
    source, again = iter(lines), deque[Line]()
    delimiter = ""
    while (line := again.popleft() if again else next(source, None)) is not None:
        delimiter = delimiter or (max(DELIMITERS, key=line[1].count) if line[1].strip() else "")
        if not delimiter:
            continue
        held = [line]
        try:
            yield line[0], next(csv.reader(_from(held, source, again), delimiter=delimiter, strict=True))
        except csv.Error as error:
            again.extendleft(reversed(held[1:]))
            yield line[0], f"is not a row of CSV: {error}"


def _from(held: list[Line], source: Iterator[Line], again: deque[Line]) -> Iterator[str]:
    """The lines of one row, kept in ``held``, as many as the parser asks for."""
    size = len(held[0][1])
    yield held[0][1]
    while size <= ITEM_CHARACTERS and (line := again.popleft() if again else next(source, None)) is not None:
        held.append(line)
        size += len(line[1])
        yield line[1]


def write(items: Iterable[Item]) -> Iterator[str]:
    """Items as CSV with a first row that names the columns."""
    items = list(items)
    header = header_of(items)
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(header)
    rows.writerows(row_of(item, header) for item in items)
    yield text.getvalue()
