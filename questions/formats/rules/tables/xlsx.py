"""XLSX: the first sheet whose first row names the columns of a table of questions; formulas give their stored value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

import openpyxl

from questions.formats.rules.items import BadFile, Found
from questions.formats.rules.limits import CELLS, ROWS
from questions.formats.rules.reading.archives import check_zip
from questions.formats.rules.tables.csv_file import NO_HEADER
from questions.formats.rules.tables.tables import Columns, columns_of, item_of_row


def read(stream: BinaryIO) -> Iterator[Found]:
    """Every row of the sheet. ``line`` is the number of the row. Raises BadFile."""
    check_zip(stream)
    rows = _rows(stream)
    columns: Columns | None = None
    while True:
        try:
            line, row = next(rows)
        except StopIteration:
            break
        except Exception as error:  # openpyxl raises whatever it meets in a damaged file
            raise BadFile(f"is not a readable XLSX file: {type(error).__name__}") from error
        if line == 1:
            columns = columns_of(row)
            if columns is None:
                raise BadFile(NO_HEADER)
        elif columns and any(row):
            yield item_of_row(columns, line, row)
    if columns is None:
        raise BadFile(NO_HEADER)


def _rows(stream: BinaryIO) -> Iterator[tuple[int, list[str]]]:
    stream.seek(0)
    book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
    sheets = [sheet for sheet in book.worksheets if _names_columns(sheet)] or book.worksheets[:1]
    for sheet in sheets[:1]:
        yield from enumerate((_words(row) for row in _values(sheet, ROWS)), start=1)


def _names_columns(sheet: Any) -> bool:
    return any(columns_of(_words(row)) for row in _values(sheet, 1))


def _values(sheet: Any, rows: int) -> Iterator[tuple[Any, ...]]:
    """The rows as they are, whatever size the file states for the sheet."""
    sheet.reset_dimensions()
    yield from sheet.iter_rows(max_row=rows, max_col=CELLS, values_only=True)


def _words(row: tuple[Any, ...]) -> list[str]:
    """Cells as text; a whole number has no decimal point, a truth value is a word."""
    return ["" if value is None else _word(value) for value in row]


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
