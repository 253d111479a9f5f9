"""Tables with user-defined columns: their first rows for choosing, and their questions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from questions.formats.rules.items import BadFile, Found, Skipped
from questions.formats.rules.reading.archives import is_zip
from questions.formats.rules.reading.columns.choice import Beginning, Chosen, columns_for
from questions.formats.rules.reading.columns.headers import PREFACE
from questions.formats.rules.reading.encoding.binary import refuse_binary
from questions.formats.rules.reading.text_lines import lines_of
from questions.formats.rules.tables import csv_file, xlsx
from questions.formats.rules.tables.tables import item_of_row


def beginnings(stream: BinaryIO) -> list[Beginning]:
    """The non-empty sheets, each with its first rows. Raises BadFile."""
    refuse_binary(stream)
    found: dict[int, Beginning] = {}
    for sheet, line, row in rows_of(stream):
        if line <= PREFACE and isinstance(row, list):
            found.setdefault(sheet, Beginning(sheet, [])).rows.append(row)
    return [each for each in found.values() if each.width]


def rows_of(stream: BinaryIO) -> Iterator[tuple[int, int, list[str] | str]]:
    """Sheet, line and cells of every row, or why it isn't one. Raises BadFile."""
    if is_zip(stream):
        yield from xlsx.rows_of(stream)
    else:
        yield from ((0, line, row) for line, row in csv_file.rows_of(lines_of(stream)))


def read(stream: BinaryIO, chosen: Chosen) -> Iterator[Found]:
    """Every row from the first question on. Raises BadFile if the choice makes no questions."""
    columns = columns_for(chosen)
    if columns is None:
        raise BadFile("needs one column with the question, one with the right answer, and two with options")
    for sheet, line, row in rows_of(stream):
        if sheet != chosen.sheet or line <= chosen.above:
            continue
        if isinstance(row, str):
            yield Skipped(line, "question", row)
        elif columns.are_filled(row):
            yield item_of_row(columns, line, row)
