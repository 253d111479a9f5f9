"""Our own questions as JSON (docs/formats.md): the fields of the YAML format, dates as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

from questions.formats.rules.items import BadFile, Found, Item, Skipped
from questions.formats.rules.own.own_rows import row_of
from questions.formats.rules.own.own_yaml import item_from

HEAD = re.compile(r'\s*\{([^\[\]{}]{0,5000})"questions"\s*:\s*\[')
LIST = re.compile(r"\s*\[")
BETWEEN = re.compile(r"[\s,]*")
BROKEN = 200  # after so many broken questions the rest is left
UNREADABLE = (ValueError, RecursionError)


def read(text: str) -> Iterator[Found]:
    """Every question of the list. Raises BadFile where there is none."""
    head = HEAD.match(text)
    start = head or LIST.match(text)
    if start is None:
        raise BadFile("needs an object with a list “questions”")
    domain = _domain(head.group(1)) if head else ""
    place, line, broken = start.end(), text.count("\n", 0, start.end()) + 1, 0
    decoder = json.JSONDecoder()
    while True:
        at = _after_gap(text, place)
        line += text.count("\n", place, at)
        place = at
        if text[at : at + 1] in ("]", ""):
            return
        try:
            row, place = decoder.raw_decode(text, at)
        except UNREADABLE as error:
            broken += 1
            yield Skipped(line, "question", f"is not readable JSON: {_reason(error)}")
            place = _next_start(text, at) if broken < BROKEN else len(text)
        else:
            yield item_from(line, row, domain, {})
        line += text.count("\n", at, place)


def _after_gap(text: str, place: int) -> int:
    gap = BETWEEN.match(text, place)
    return gap.end() if gap else place


def _domain(head: str) -> str:
    try:
        facts = json.loads("{" + head.strip().rstrip(",") + "}")
    except UNREADABLE:
        raise BadFile("can't be read before its list “questions”") from None
    domain = facts.get("domain", "")
    if not isinstance(domain, str):
        raise BadFile("has a domain that is not text")
    return domain


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else "it contains a value that can't be read"


def _next_start(text: str, at: int) -> int:
    """Where the next question begins: at the next line that begins as this one's does."""
    indent = text[text.rfind("\n", 0, at) + 1 : at]
    following = re.compile(rf"\n{indent}\{{").search(text, at) if not indent.strip(" \t") else None
    return following.start() if following else len(text)


def write(items: Iterable[Item]) -> Iterator[str]:
    """Items as an object with one list, a question a line."""
    yield '{"questions": ['
    for place, item in enumerate(items):
        yield ",\n" if place else "\n"
        yield json.dumps(row_of(item), ensure_ascii=False, default=str)
    yield "\n]}\n"
