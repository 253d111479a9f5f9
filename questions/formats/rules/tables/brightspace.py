"""Brightspace's CSV (D2L): a row for each part of a question, from ``NewQuestion`` to the next one.

``Option`` rows hold what an option is worth, in percent for a choose-one question and as 1 or 0 where several are
right. A text with unquoted commas runs over into the next cells; such a question isn't read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from questions.formats.rules.items import (
    MULTIPLE,
    SINGLE,
    CannotTake,
    Found,
    Item,
    ItemOption,
    Skipped,
    item_or_reason,
    of_other_kind,
)
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.pictures import NEEDS_MEDIA
from questions.formats.rules.reading.text_lines import lines_of
from questions.formats.rules.tables.csv_file import rows_of

START = "newquestion"
KINDS = {"mc": SINGLE, "tf": SINGLE, "ms": MULTIPLE}
HTML = "html"
WHOLE = 100
"""Percent of the marks. An option of a single-choice question that is worth less isn't the right one."""


@dataclass
class Question:
    """The rows of one question; for an option, the cells from its worth on."""

    line: int
    kind: str
    facts: dict[str, list[str]] = field(default_factory=dict)
    options: list[list[str]] = field(default_factory=list)
    size: int = 0


def read(stream: BinaryIO) -> Iterator[Found]:
    """Every question of the file; rows above the first one are instructions."""
    question: Question | None = None
    for line, row in rows_of(lines_of(stream)):
        if isinstance(row, str):
            yield Skipped(line, "question", row)
            continue
        cells = [cell.strip() for cell in row]
        if cells[0].lower() == START:
            if question:
                yield _found(question)
            question = Question(line, cells[1] if len(cells) > 1 else "")
        elif question and not cells[0].startswith("//"):
            _add(question, cells)
    if question:
        yield _found(question)


def _add(question: Question, cells: list[str]) -> None:
    name = cells[0].lower()
    question.size += sum(map(len, cells))
    if question.size > ITEM_CHARACTERS:
        return
    if name == "option":
        question.options.append(cells[1:])
    elif name in ("true", "false"):
        question.options.append([cells[1] if len(cells) > 1 else "", name.capitalize(), "", *cells[2:]])
    elif name:
        question.facts.setdefault(name, cells[1:])


def _found(question: Question) -> Found:
    return item_or_reason(question.line, question.kind or "question", lambda: _item(question))


def _item(question: Question) -> Item:
    kind = KINDS.get(question.kind.lower())
    if kind is None:
        raise of_other_kind(question.kind)
    if question.size > ITEM_CHARACTERS:
        raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")
    if any(question.facts.get("image", [])):
        raise CannotTake(NEEDS_MEDIA)
    texts = Texts()
    return Item(
        line=question.line,
        id=_fact(question, "id"),
        kind=kind,
        stem=_text(question.facts.get("questiontext", []), texts),
        options=tuple(_option(cells, kind, texts) for cells in question.options),
        title=" ".join(_fact(question, "title").split()),
        explanation=_text(question.facts.get("feedback", []), texts, needed=False),
        warnings=tuple(texts.warnings),
    )


def _fact(question: Question, name: str) -> str:
    return next(iter(question.facts.get(name, [])), "")


def _text(cells: Sequence[str], texts: Texts, *, needed: bool = True) -> str:
    """A text; the next cell may say that it is HTML. Raises CannotTake."""
    text, markup, *rest = [*cells, "", ""][: max(2, len(cells))]
    if markup.lower() not in ("", HTML) or any(rest):
        raise CannotTake("has a text with a comma that isn’t in quotation marks")
    return texts.html(text, needed=needed) if markup else texts.plain_or_html(text, needed=needed)


def _option(cells: Sequence[str], kind: str, texts: Texts) -> ItemOption:
    worth, text, markup, feedback, *rest = [*cells, "", "", "", ""][: max(4, len(cells))]
    if any(cell for cell in rest if cell.lower() != HTML):
        raise CannotTake("has a text with a comma that isn’t in quotation marks")
    try:
        points = float(worth or 0)
    except ValueError:
        raise CannotTake(f"gives “{worth[:20]}” points for an option, which isn’t a number") from None
    right = points >= WHOLE if kind == SINGLE else points > 0
    return ItemOption(_text([text, markup], texts), right, texts.plain_or_html(feedback, needed=False))
