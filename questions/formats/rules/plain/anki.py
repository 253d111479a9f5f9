"""Anki's text format with tabs: one note per line, HTML in its fields. A note has a name, so a second import updates
it.

Write only: a card shows a question and its answer, but doesn't keep its parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from courseiva.common.rich_text import one_paragraph, portable
from questions.formats.rules.items import Item, content_id

HEADER = "#separator:tab\n#html:true\n#guid column:1\n#tags column:4\n#columns:guid\tFront\tBack\tTags\n"


def write(items: Iterable[Item]) -> Iterator[str]:
    """A note for each item: the question with its options, then what is right and why."""
    yield HEADER
    for item in items:
        tags = [tag for tag in (*item.tags, item.category) if tag]
        cells = [item.id or content_id(item), _front(item), _back(item), " ".join(map(_one_word, tags))]
        yield "\t".join(map(_one_line, cells)) + "\n"


def _front(item: Item) -> str:
    options = "".join(f"<li>{_inline(option.text)}</li>" for option in item.options)
    return f'{_html(item.stem)}<ol type="A">{options}</ol>'


def _back(item: Item) -> str:
    rows = [f"<li>{_inline(option.text)}{_html(option.feedback)}</li>" for option in item.options if option.right]
    rows += [
        f"<li>✗ {_inline(option.text)}{_html(option.feedback)}</li>"
        for option in item.options
        if option.feedback and not option.right
    ]
    return f"<ul>{''.join(rows)}</ul>{_html(item.explanation)}"


def _html(text: str) -> str:
    """Anki renders formulas between ``\\(`` and ``\\)`` itself."""
    return portable(text, lambda formula: escape(formula.delimited))


def _inline(text: str) -> str:
    return one_paragraph(_html(text))


def _one_word(tag: str) -> str:
    return re.sub(r"\s+", "_", tag.strip()).replace("/", "::")


def _one_line(cell: str) -> str:
    """A cell without the characters that would end it; line breaks in code are kept as HTML."""
    cell = re.sub(r"<pre>.*?</pre>", lambda code: code.group().replace("\n", "<br>"), cell, flags=re.DOTALL)
    cell = " ".join(re.split(r"[\t\r\n]+", cell)).strip()
    return f" {cell}" if cell.startswith(("#", '"')) else cell
