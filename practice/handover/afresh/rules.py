"""What stays known, after a fresh start, about questions seen before it; pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

UNDO_DAYS = 14
"""Long enough to notice a mistake after a holiday; no longer, because until then a row links the learner to the
archive."""
MOCK = "mock"


class Item(NamedTuple):
    """A stored item with what is needed from its session; ``reads.py`` names the columns."""

    question: int
    version: int
    order: str
    displayed: dt.datetime | None
    answered: dt.datetime | None
    checked: dt.datetime | None
    finished: dt.datetime | None
    discarded: dt.datetime | None
    withheld: bool
    mode: str

    @property
    def solved_at(self) -> dt.datetime | None:
        """When its solution was seen, as ``first_met`` in practice/sessions/ending/finish.py defines it."""
        if self.discarded:
            return None
        shown = self.finished if self.mode == MOCK and self.displayed and not self.withheld else None
        return self.answered or self.checked or shown

    @property
    def is_shown(self) -> bool:
        """Whether a finished session showed it, or it was answered on its page."""
        over = bool(self.finished and self.displayed and not self.withheld)
        return over or bool(self.displayed and self.solved_at)


@dataclass(frozen=True)
class Met:
    """One question: the newest version displayed, when last, and whether and since when its solution has been known."""

    version: int
    order: str
    displayed_at: dt.datetime
    solved_at: dt.datetime | None
    is_shown: bool


def met(items: Iterable[Item]) -> list[Met]:
    """Every question that was displayed, by version id; questions never displayed stay unseen."""
    found: dict[int, list[Item]] = {}
    for item in items:
        if item.displayed:
            found.setdefault(item.question, []).append(item)
    return sorted(map(_met, found.values()), key=lambda each: each.version)


def _met(items: list[Item]) -> Met:
    newest = max(items, key=lambda item: item.version)
    return Met(
        version=newest.version,
        order=newest.order,
        displayed_at=max(item.displayed for item in items if item.displayed),
        solved_at=min((item.solved_at for item in items if item.solved_at), default=None),
        is_shown=any(item.is_shown for item in items),
    )
