"""Blackboard's upload format: one question per line, in cells separated by tabs.

``MC`` and ``MA`` hold the question, then each option and whether it is ``correct`` or ``incorrect``; ``TF`` holds a
statement and ``true`` or ``false``. Other kinds are reported and skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from questions.formats.rules.items import (
    MULTIPLE,
    SINGLE,
    CannotTake,
    Found,
    Item,
    ItemOption,
    item_or_reason,
    of_other_kind,
    true_or_false,
)
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.text_lines import Line

KINDS = {"MC": SINGLE, "MA": MULTIPLE}
OTHERS = ("ESS", "FIB", "FIB_PLUS", "FIL", "JUMBLED_SENTENCE", "MAT", "NUM", "OP", "ORD", "QUIZ_BOWL", "SR")
KNOWN = re.compile(rf"(?:MC|MA|TF|{'|'.join(OTHERS)})\t", re.IGNORECASE)
JUDGED = re.compile(
    r"^(?:M[CA]\t[^\t\n]+(?:\t[^\t\n]+\t(?:in)?correct)+|TF\t[^\t\n]+\t(?:true|false))\s*$",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that only this format has."""
MARKS = {"correct": True, "incorrect": False}


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every question: the lines that begin with a kind; other lines are ignored."""
    for number, raw in lines:
        text = raw.rstrip("\r\n")
        if KNOWN.match(text):
            cells = [cell.strip() for cell in text.split("\t")]
            yield item_or_reason(number, cells[0], lambda number=number, cells=cells: _item(number, cells))  # type: ignore[misc]


def _item(line: int, cells: list[str]) -> Item:
    kind = cells[0].upper()
    if kind != "TF" and kind not in KINDS:
        raise of_other_kind(cells[0])
    if sum(map(len, cells)) > ITEM_CHARACTERS:
        raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")
    while len(cells) > 3 and not cells[-1]:
        cells = cells[:-1]
    texts = Texts()
    return Item(
        line=line,
        id="",
        kind=KINDS.get(kind, SINGLE),
        stem=texts.plain_or_html(cells[1]),
        options=_judged(cells) if kind == "TF" else tuple(_options(cells[2:], texts)),
        warnings=tuple(texts.warnings),
    )


def _judged(cells: list[str]) -> tuple[ItemOption, ItemOption]:
    stated = cells[2].lower() if len(cells) == 3 else ""
    if stated not in ("true", "false"):
        raise CannotTake("doesn’t say whether its statement is true or false")
    return true_or_false(stated == "true")


def _options(cells: list[str], texts: Texts) -> Iterator[ItemOption]:
    if len(cells) % 2:
        raise CannotTake("has an option without “correct” or “incorrect” behind it")
    for text, mark in zip(cells[::2], cells[1::2], strict=True):
        if mark.lower() not in MARKS:
            raise CannotTake(f"says “{mark[:40]}” of an option, not “correct” or “incorrect”")
        yield ItemOption(texts.plain_or_html(text), MARKS[mark.lower()])
