"""XLSX: sheets with a header row for a table of questions; formulas give their stored value.

Written files have one sheet of texts.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import openpyxl
from openpyxl.cell import WriteOnlyCell

from questions.formats.rules.items import UNSTORABLE, BadFile, Found, Item
from questions.formats.rules.limits import CELLS, ROWS
from questions.formats.rules.reading.archives import check_zip
from questions.formats.rules.reading.columns.headers import PREFACE, Answers, Columns, columns_of, counted
from questions.formats.rules.tables.csv_file import NO_HEADER, NO_START
from questions.formats.rules.tables.tables import header_of, item_of_row, row_of

CELL_CHARACTERS = 32_767  # the limit of an XLSX cell; openpyxl silently cuts longer texts


def read(stream: BinaryIO) -> Iterator[Found]:
    """Every row of the sheets. ``line`` is the number of the row. Raises BadFile."""
    columns: Columns | None = None
    named = False
    sheets = _counted(stream)
    for sheet, line, row in rows_of(stream):
        columns = None if line == 1 else columns
        if columns and columns.are_filled(row):
            yield item_of_row(columns, line, row)
        elif not columns and line <= PREFACE:
            columns = sheets.get(sheet) if columns_of(row) else None
            named = named or columns is not None
    if not named:
        raise BadFile(NO_HEADER)


def _counted(stream: BinaryIO) -> dict[int, Columns]:
    """The columns of each sheet with a header, with how its right options are named. Raises BadFile."""
    found: dict[int, Columns] = {}
    answers: dict[int, Answers] = {}
    for sheet, line, row in rows_of(stream):
        columns = found.get(sheet)
        if columns:
            answers[sheet].add(columns, row)
        elif line <= PREFACE and (named := columns_of(row)):
            found[sheet], answers[sheet] = named, Answers()
    for sheet, columns in found.items():
        known = counted(columns, answers[sheet])
        if known is None:
            raise BadFile(NO_START)
        found[sheet] = known
    return found


def rows_of(stream: BinaryIO) -> Iterator[tuple[int, int, list[str]]]:
    """Sheet, line and cells of every row, each sheet from line 1. Raises BadFile."""
    check_zip(stream)
    rows = _rows(stream)
    while True:
        try:
            found = next(rows)
        except StopIteration:
            return
        except Exception as error:  # openpyxl can raise any exception on a damaged file
            raise BadFile(f"is not a readable XLSX file: {type(error).__name__}") from error
        yield found


def _rows(stream: BinaryIO) -> Iterator[tuple[int, int, list[str]]]:
    stream.seek(0)
    book = openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)
    for number, sheet in enumerate(book.worksheets):
        for line, row in enumerate(_values(sheet, ROWS), start=1):
            yield number, line, _words(row)


def _values(sheet: Any, rows: int) -> Iterator[tuple[Any, ...]]:
    """The actual rows, whatever size the file states for the sheet."""
    sheet.reset_dimensions()
    yield from sheet.iter_rows(max_row=rows, max_col=CELLS, values_only=True)


def _words(row: tuple[Any, ...]) -> list[str]:
    """Cells as text; integers have no decimal point, booleans are words."""
    return ["" if value is None else _word(value) for value in row]


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def write(items: Iterable[Item]) -> bytes:
    """Items as one sheet with a header row. Raises BadFile for a text too long for a cell."""
    items = list(items)
    header = header_of(items)
    rows = [_fitting(row_of(item, header), item) for item in items]
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Questions")
    sheet.freeze_panes = "A2"
    for row in (header, *rows):
        sheet.append([_text_cell(sheet, text) for text in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _fitting(row: list[str], item: Item) -> list[str]:
    if any(len(text) > CELL_CHARACTERS for text in row):
        raise BadFile(f"can’t be XLSX: “{item.name}” has a text of more than {CELL_CHARACTERS:,} characters")
    return row


def _text_cell(sheet: Any, text: str) -> Any:
    """A cell of text, whatever it looks like: never a formula, a number or a date."""
    cell = WriteOnlyCell(sheet, UNSTORABLE.sub("", text))
    cell.data_type = "s"
    return cell
