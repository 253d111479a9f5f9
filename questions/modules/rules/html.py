"""A study module's derived HTML, in the parts of its page."""

from __future__ import annotations

import re
from typing import Any

from courseiva.common.rich_text import render_inline, render_long
from questions.modules.rules.text import CARDS, CHECK, CLOSING, INSIDE, SECTION, TEXT, Block, anchor_of, blocks_of


def module_html(body: str) -> dict[str, Any]:
    """Cards, numbered sections with their parts, and the closing boxes. Check questions appear only as ids."""
    cards: list[dict[str, str]] = []
    sections: list[dict[str, Any]] = []
    closing: list[dict[str, str]] = []
    for block in blocks_of(body)[0]:
        if block.kind == SECTION:
            sections.append(_section(len(sections) + 1, block.text))
        elif block.kind == CARDS:
            cards += _cards(block.text)
        elif block.kind in CLOSING:
            closing.append({"kind": block.kind, "label": CLOSING[block.kind], "html": render_long(block.text)})
        elif sections:
            sections[-1]["parts"].append(_part(block))
    return {"cards": cards, "sections": sections, "closing": closing}


def check_keys(html: dict[str, Any]) -> list[str]:
    """The check questions' ids, in order."""
    return [part["key"] for section in html["sections"] for part in section["parts"] if part["kind"] == CHECK]


def _section(place: int, title: str) -> dict[str, Any]:
    return {"number": f"{place:02}", "anchor": anchor_of(place, title), "title": render_inline(title), "parts": []}


def _cards(text: str) -> list[dict[str, str]]:
    _, *cards = re.split(r"^### ", text, flags=re.MULTILINE)
    pairs = [card.partition("\n") for card in cards]
    return [{"title": render_inline(title.strip()), "html": render_long(rest)} for title, _, rest in pairs]


def _part(block: Block) -> dict[str, str]:
    if block.kind == CHECK:
        return {"kind": CHECK, "key": block.text}
    if block.kind == TEXT:
        return {"kind": TEXT, "html": render_long(block.text)}
    return {"kind": block.kind, "label": INSIDE[block.kind], "html": render_long(block.text)}
