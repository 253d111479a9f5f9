"""The page for a table: its first rows with the columns' roles, and the resulting questions."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from itertools import islice

from questions.formats.intake.reads.levels import Levels, levels_of
from questions.formats.intake.reads.plan import Planned, plan
from questions.formats.intake.reads.target import Target, name_of
from questions.formats.rules.items import BadFile, Item, Skipped
from questions.formats.rules.reading.columns.choice import Beginning, Chosen
from questions.formats.rules.registry import by_columns, parser, read_items
from questions.lint.rules import Completeness

MOST_ROWS = 1000  # the most that one request reads and stores
ROWS_SHOWN, ITEMS_SHOWN = 8, 20


@dataclass
class TableLook:
    """A table's preview with the chosen columns; ``planned`` says what each item would become here."""

    taken: list[Item] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    is_large: bool = False
    planned: list[Planned] = field(default_factory=list)
    levels: Levels | None = None

    @property
    def can_be_kept(self) -> bool:
        return bool(self.taken) and not self.is_large

    @property
    def shown(self) -> list[tuple[Planned, Completeness | None]]:
        """The first items, with how complete their drafts would be."""
        levels = self.levels.of if self.levels else {}
        return [(each, levels.get(id(each))) for each in self.planned[:ITEMS_SHOWN]]


def sheets_of(content: bytes) -> list[Beginning]:
    """The non-empty sheets, each with its first rows. Raises BadFile."""
    sheets: list[Beginning] = parser("tables.mapping").beginnings(io.BytesIO(content))
    if not sheets:
        raise BadFile("has no rows")
    return sheets


def look_at(content: bytes, chosen: Chosen, target: Target) -> TableLook:
    """Read the table and plan its drafts. Raises BadFile if it contains no question."""
    look = TableLook()
    found = read_items(by_columns(chosen), io.BytesIO(content))
    for each in islice(found, MOST_ROWS + 1):
        if isinstance(each, Item):
            look.taken.append(each)
        else:
            look.skipped.append(each)
    look.is_large = len(look.taken) + len(look.skipped) > MOST_ROWS
    look.planned = plan(target, [(item, name_of(target, item)) for item in look.taken])
    look.levels = levels_of(target.exam, look.planned)
    return look


def rows_shown(beginning: Beginning) -> list[tuple[int, list[str]]]:
    """The first rows with their numbers, padded to the sheet's width."""
    width = beginning.width
    return [(number, [*row, *[""] * width][:width]) for number, row in enumerate(beginning.rows[:ROWS_SHOWN], start=1)]
