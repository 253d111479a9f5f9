"""Helpers that return what the readers find in a file."""

from __future__ import annotations

import io

from questions.formats.rules.detection import detect
from questions.formats.rules.items import Item, Skipped
from questions.formats.rules.registry import BY_NAME, read_items


def found(name: str, content: str | bytes) -> list[Item | Skipped]:
    """Return what a reader finds in a file, in the file's order."""
    return list(read_items(BY_NAME[name], io.BytesIO(as_bytes(content))))


def one(name: str, content: str | bytes) -> Item:
    """Return the only item of a file."""
    (item,) = found(name, content)
    assert isinstance(item, Item), item
    return item


def detected(content: str | bytes, name: str = "file") -> str:
    """Return the name of the format a file is recognised as."""
    return detect(io.BytesIO(as_bytes(content)), name).name


def keys(results: list[Item | Skipped]) -> list[tuple[list[str], list[int]] | str]:
    """Return the options and right options of each item; for a skipped one, its kind."""
    return [
        ([option.text for option in each.options], each.correct) if isinstance(each, Item) else each.kind
        for each in results
    ]


def as_bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content
