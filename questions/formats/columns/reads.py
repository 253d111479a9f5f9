"""The page for a table: its first rows with the columns' roles, and the resulting questions."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from itertools import islice

from questions.formats.rules.items import BadFile, Item, Skipped
from questions.formats.rules.reading.columns.choice import Beginning, Chosen
from questions.formats.rules.registry import by_columns, parser, read_items

MOST_ROWS = 1000  # the most that one request reads and stores
ROWS_SHOWN, ITEMS_SHOWN = 8, 20


@dataclass
class TableLook:
    """A table's preview with the chosen columns."""

    taken: list[Item] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    is_large: bool = False

    @property
    def can_be_kept(self) -> bool:
        return bool(self.taken) and not self.is_large

    @property
    def shown(self) -> list[Item]:
        """The first items."""
        return self.taken[:ITEMS_SHOWN]


def sheets_of(content: bytes) -> list[Beginning]:
    """The non-empty sheets, each with its first rows. Raises BadFile."""
    sheets: list[Beginning] = parser("tables.mapping").beginnings(io.BytesIO(content))
    if not sheets:
        raise BadFile("has no rows")
    return sheets


def look_at(content: bytes, chosen: Chosen) -> TableLook:
    """Read the table. Raises BadFile if it contains no question."""
    look = TableLook()
    found = read_items(by_columns(chosen), io.BytesIO(content))
    for each in islice(found, MOST_ROWS + 1):
        if isinstance(each, Item):
            look.taken.append(each)
        else:
            look.skipped.append(each)
    look.is_large = len(look.taken) + len(look.skipped) > MOST_ROWS
    return look


def rows_shown(beginning: Beginning) -> list[tuple[int, list[str]]]:
    """The first rows with their numbers, padded to the sheet's width."""
    width = beginning.width
    return [(number, [*row, *[""] * width][:width]) for number, row in enumerate(beginning.rows[:ROWS_SHOWN], start=1)]
