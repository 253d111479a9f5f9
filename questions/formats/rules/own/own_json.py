"""Our own questions as JSON (docs/formats.md): the fields of the YAML format, dates as text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from questions.formats.rules.items import BadFile, Found, Item, Skipped
from questions.formats.rules.own.own_families import by_family, row_of_family
from questions.formats.rules.own.own_rows import row_of
from questions.formats.rules.own.own_yaml import found_in

HEAD = re.compile(r'\s*\{([^\[\]{}]{0,5000})"(questions|families)"\s*:\s*\[')
LIST = re.compile(r"\s*\[")
NEXT_LIST = re.compile(r'\]\s*,\s*"(questions|families)"\s*:\s*\[')
BETWEEN = re.compile(r"[\s,]*")
BROKEN = 200  # after this many broken questions, the rest is ignored
UNREADABLE = (ValueError, RecursionError)


def read(text: str) -> Iterator[Found]:
    """Every question of the list. Raises BadFile if there is no list."""
    head = HEAD.match(text)
    start = head or LIST.match(text)
    if start is None:
        raise BadFile("needs an object with a list “questions” or “families”")
    domain, name = (_domain(head.group(1)), head.group(2)) if head else ("", "questions")
    place, line, broken = start.end(), text.count("\n", 0, start.end()) + 1, 0
    decoder = json.JSONDecoder()
    while True:
        at = _after_gap(text, place)
        line += text.count("\n", place, at)
        place = at
        if following := NEXT_LIST.match(text, at):
            name, place = following.group(1), following.end()
            line += text.count("\n", at, place)
            continue
        if text[at : at + 1] in ("]", ""):
            return
        try:
            row, place = decoder.raw_decode(text, at)
        except UNREADABLE as error:
            broken += 1
            yield Skipped(
                line, "family" if name == "families" else "question", f"is not readable JSON: {_reason(error)}"
            )
            place = _next_start(text, at) if broken < BROKEN else len(text)
        else:
            yield from found_in(name == "families", line, row, domain, {})
        line += text.count("\n", at, place)


def _after_gap(text: str, place: int) -> int:
    gap = BETWEEN.match(text, place)
    return gap.end() if gap else place


def _domain(head: str) -> str:
    try:
        facts = json.loads("{" + head.strip().rstrip(",") + "}")
    except UNREADABLE:
        raise BadFile("can’t be read before its first list") from None
    domain = facts.get("domain", "")
    if not isinstance(domain, str):
        raise BadFile("has a domain that is not text")
    return domain


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else "it contains a value that can’t be read"


def _next_start(text: str, at: int) -> int:
    """Where the next question starts: at the next line that starts like this one's."""
    indent = text[text.rfind("\n", 0, at) + 1 : at]
    following = re.compile(rf"\n{indent}\{{").search(text, at) if not indent.strip(" \t") else None
    return following.start() if following else len(text)


def write(items: Iterable[Item]) -> Iterator[str]:
    """Items as an object: a list of single ones and, if any, a list of families; one entry per line."""
    alone, families = by_family(items)
    lists = {"questions": map(row_of, alone)} if alone or not families else {}
    lists |= {"families": map(row_of_family, families)} if families else {}
    for place, (name, rows) in enumerate(lists.items()):
        start = ",\n" if place else "{"
        yield f'{start}"{name}": ['
        yield from _listed(rows)
    yield "}\n"


def _listed(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    for place, row in enumerate(rows):
        yield ",\n" if place else "\n"
        yield json.dumps(row, ensure_ascii=False, default=str)
    yield "\n]"
