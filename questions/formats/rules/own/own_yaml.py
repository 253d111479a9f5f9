"""Our own questions as YAML (docs/formats.md), read question by question, so that a broken one costs no other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from questions.catalogue.rules.yaml_fields import LOADER, BadField, BadYaml, read_yaml
from questions.formats.rules.items import BadFile, CannotTake, Found, Item, Skipped, item_or_reason
from questions.formats.rules.limits import ITEM_CHARACTERS, YAML_DEPTH
from questions.formats.rules.own.own_rows import item_of_row, row_of
from questions.formats.rules.reading.text_lines import Line

START = re.compile(r"questions\s*:\s*(?:#.*)?$")
EMPTY = re.compile(r"questions\s*:\s*\[\s*\]\s*$")
ENTRY = re.compile(r"( *)-(?:\s|$)")
MARK = re.compile(r"(?:---|\.\.\.|%\w|\s*#|\s*$)")
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
WIDTH = 110
# What YAML raises for a value it cannot make: a date that does not exist, a list as a name.
BAD_VALUE = (yaml.YAMLError, ValueError, TypeError, OverflowError, AttributeError, RecursionError)


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every question under ``questions:``. Raises BadFile where there is no such list."""
    source = iter(lines)
    first, head = _head(source)
    domain = _domain(head)
    if first is None:
        return
    for chunk in _chunks(first, source):
        yield _question(chunk, domain)


def _head(source: Iterator[Line]) -> tuple[Line | None, list[Line]]:
    """The first line of the list, None of an empty one, and what stands before it."""
    head: list[Line] = []
    is_list = True  # a file may also be the list alone
    for number, text in source:
        if is_list and ENTRY.match(text):
            return (number, text), head
        if EMPTY.match(text):
            return None, head
        if START.match(text.rstrip()):
            is_list = True
        elif not MARK.match(text):
            head.append((number, text))
            is_list = False
        if len(text) > ITEM_CHARACTERS or len(head) > YAML_DEPTH:
            break
    raise BadFile("needs a list “questions:”, each question starting with “-” on its own line")


def _domain(head: list[Line]) -> str:
    """The domain that holds for all questions without one. Raises BadFile."""
    if not head:
        return ""
    try:
        facts = parsed("".join(text for _, text in head))[0]
    except BadYaml as error:
        raise BadFile(f"line {head[0][0]}: {error.reason}") from error
    domain = facts.get("domain", "") if isinstance(facts, dict) else None
    if not isinstance(domain, str):
        raise BadFile(f"line {head[0][0]}: needs “domain:” and the list “questions:”")
    return domain


def _chunks(first: Line, source: Iterator[Line]) -> Iterator[list[Line]]:
    """The lines of each entry of the list."""
    entry = ENTRY.match(first[1])
    indent = len(entry.group(1)) if entry else 0
    chunk, size = [first], len(first[1])
    for line in source:
        found = ENTRY.match(line[1])
        depth = len(line[1]) - len(line[1].lstrip(" "))
        if (found and depth == indent) or (depth < indent and not MARK.match(line[1])):
            yield chunk
            chunk, size = [], 0
        size += len(line[1])
        if size <= ITEM_CHARACTERS or not chunk:
            chunk.append(line)
        elif chunk[-1][1]:
            chunk.append((line[0], ""))  # the mark of an entry that is too large
    yield chunk


def _question(chunk: list[Line], domain: str) -> Found:
    start = chunk[0][0]
    if not chunk[-1][1] or len(chunk[0][1]) > ITEM_CHARACTERS:
        return Skipped(start, "question", f"is larger than {ITEM_CHARACTERS:,} characters")
    try:
        value, lines = parsed("".join(text for _, text in chunk))
    except BadYaml as error:
        return Skipped(start, "question", f"is not readable YAML: {error.reason} (line {start + error.line - 1})")
    if not isinstance(value, list) or len(value) != 1:
        return Skipped(start, "question", "isn't an entry of the list")
    return item_from(start, value[0], domain, {path.removeprefix("[0]").lstrip("."): n for path, n in lines.items()})


def item_from(start: int, row: Any, domain: str, lines: dict[str, int]) -> Found:
    """One question of plain data; ``lines`` say where its fields stand, counted from its start."""
    where = start
    kind = str(row.get("kind") or "question")[:40] if isinstance(row, dict) else "question"

    def made() -> Item:
        nonlocal where
        try:
            return item_of_row(start, row, domain)
        except BadField as bad:
            where = start + lines.get(bad.path, 1) - 1
            raise CannotTake(f"{bad.path or 'question'}: {bad.reason}") from bad

    found = item_or_reason(start, kind, made)
    return Skipped(where, found.kind, found.reason) if isinstance(found, Skipped) else found


def parsed(text: str) -> tuple[Any, dict[str, int]]:
    """YAML as values and lines, without aliases and deep nesting, which could make much of little. Raises BadYaml."""
    try:
        depth = 0
        for event in yaml.parse(text, Loader=LOADER):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.AliasEvent):
                raise BadYaml(line, "uses an anchor or alias (&, *), which isn't allowed")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > YAML_DEPTH:
                raise BadYaml(line, "is nested too deeply")
        return read_yaml(text)
    except BadYaml:
        raise
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadYaml(line, error.problem or "is not YAML") from error
    except BAD_VALUE as error:
        raise BadYaml(1, "contains a value that can't be read") from error


def write(items: Iterable[Item]) -> Iterator[str]:
    start = "questions:\n"
    for item in items:
        yield start
        start = ""
        text = yaml.dump([row_of(item)], Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDTH)
        yield "\n".join(f"  {line}" if line.strip() else line for line in text.split("\n"))
    if start:
        yield "questions: []\n"


class _Dumper(DUMPER):  # type: ignore[misc, valid-type]
    """Texts of several lines stand as they are."""


def _text(dumper: Any, text: str) -> Any:
    is_block = "\n" in text and not re.search(r"[^\S \n]|[ \t]$|\A\s", text, re.MULTILINE)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if is_block else None)


_Dumper.add_representer(str, _text)
