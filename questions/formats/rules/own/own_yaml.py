"""Our own questions as YAML (docs/formats.md), read question by question, so that a broken one doesn't affect
others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from questions.catalogue.rules.yaml_fields import LOADER, BadField, BadYaml, read_yaml
from questions.formats.rules.items import BadFile, CannotTake, Found, Item, Skipped, item_or_reason
from questions.formats.rules.limits import ITEM_CHARACTERS, YAML_DEPTH
from questions.formats.rules.own.own_families import by_family, row_of_family, variants_in
from questions.formats.rules.own.own_rows import item_of_row, row_of
from questions.formats.rules.reading.text_lines import Line

START = re.compile(r"(questions|families)\s*:\s*(\[\s*\])?\s*(?:#.*)?$")
ENTRY = re.compile(r"( *)-(?:\s|$)")
MARK = re.compile(r"(?:---|\.\.\.|%\w|\s*#|\s*$)")
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
WIDTH = 110
"""Arbitrary, but fixed: with another width every text would fold differently, and a diff of two exports would be all
changes."""
# What YAML raises for a value it can't make: a date that doesn't exist, or a list as a name.
BAD_VALUE = (yaml.YAMLError, ValueError, TypeError, OverflowError, AttributeError, RecursionError)


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every question under ``questions:`` and ``families:``. Raises BadFile if there is no such list."""
    source = iter(lines)
    name, head, first = _head(source)
    domain = _domain(head)
    for of_families, chunk in _chunks(name, first, source):
        yield from _found(of_families, chunk, domain)


def _head(source: Iterator[Line]) -> tuple[str, list[Line], list[Line]]:
    """The name of the first non-empty list, what comes before it, and its first line; none if there isn't one."""
    head: list[Line] = []
    name, lists = "questions", 0  # a file can also be just the list
    for number, text in source:
        start = START.match(text.rstrip())
        if name and ENTRY.match(text):
            return name, head, [(number, text)]
        if start:
            name, lists = "" if start.group(2) else start.group(1), lists + 1
        elif not MARK.match(text):
            head.append((number, text))
            name = ""
        if len(text) > ITEM_CHARACTERS or len(head) > YAML_DEPTH:
            break
    else:
        if lists and not name:
            return "", head, []
    raise BadFile("needs a list “questions:” or “families:”, each entry starting with “-” on its own line")


def _domain(head: list[Line]) -> str:
    """The domain for all questions without one. Raises BadFile."""
    if not head:
        return ""
    try:
        facts = parsed("".join(text for _, text in head))[0]
    except BadYaml as error:
        raise BadFile(f"line {head[0][0]}: {error.reason}") from error
    domain = facts.get("domain", "") if isinstance(facts, dict) else None
    if not isinstance(domain, str):
        raise BadFile(f"line {head[0][0]}: needs “domain:” and the list “questions:” or “families:”")
    return domain


def _chunks(name: str, first: list[Line], source: Iterator[Line]) -> Iterator[tuple[bool, list[Line]]]:
    """The lines of each entry of the lists, and whether it is a family."""
    chunk, size, indent = first, sum(len(text) for _, text in first), _indent(first)
    for line in source:
        start = START.match(line[1].rstrip())
        if start:
            if chunk:
                yield name == "families", chunk
            name, chunk, size, indent = start.group(1), [], 0, -1
            continue
        if not chunk and MARK.match(line[1]):
            continue
        found = ENTRY.match(line[1])
        depth = len(line[1]) - len(line[1].lstrip(" "))
        if chunk and ((found and depth == indent) or (depth < indent and not MARK.match(line[1]))):
            yield name == "families", chunk
            chunk, size = [], 0
        indent = _indent([line]) if indent < 0 else indent
        size += len(line[1])
        if size <= ITEM_CHARACTERS or not chunk:
            chunk.append(line)
        elif chunk[-1][1]:
            chunk.append((line[0], ""))  # marks an entry that is too large
    if chunk:
        yield name == "families", chunk


def _indent(lines: list[Line]) -> int:
    """The indentation of a list's entries, given its first lines."""
    entry = ENTRY.match(lines[0][1]) if lines else None
    return len(entry.group(1)) if entry else 0


def _found(of_families: bool, chunk: list[Line], domain: str) -> Iterator[Found]:
    start, kind = chunk[0][0], "family" if of_families else "question"
    if not chunk[-1][1] or len(chunk[0][1]) > ITEM_CHARACTERS:
        yield Skipped(start, kind, f"is larger than {ITEM_CHARACTERS:,} characters")
        return
    try:
        value, lines = parsed("".join(text for _, text in chunk))
    except BadYaml as error:
        yield Skipped(start, kind, f"is not readable YAML: {error.reason} (line {start + error.line - 1})")
        return
    if not isinstance(value, list) or len(value) != 1:
        yield Skipped(start, kind, "isn’t an entry of the list")
        return
    places = {path.removeprefix("[0]").lstrip("."): n for path, n in lines.items()}
    yield from found_in(of_families, start, value[0], domain, places)


def found_in(of_family: bool, start: int, row: Any, domain: str, lines: dict[str, int]) -> Iterator[Found]:
    """The contents of an entry of plain data; ``lines`` are its fields' lines relative to its start."""
    if not of_family:
        yield _item(start, row, domain, lines)
        return
    try:
        variants = variants_in(row, lines)
    except BadField as bad:
        yield Skipped(start + lines.get(bad.path, 1) - 1, "family", f"{bad.path or 'family'}: {bad.reason}")
        return
    for each in variants:
        yield _item(start, each.row | {"family": each.family, "clause": each.clause}, domain, each.lines)


def _item(start: int, row: Any, domain: str, lines: dict[str, int]) -> Found:
    """One question; its line is that of its entry."""
    start, where = start + lines.get("", 1) - 1, start
    kind = str(row.get("kind") or "question")[:40] if isinstance(row, dict) else "question"

    def made() -> Item:
        nonlocal where
        try:
            return item_of_row(start, row, domain)
        except BadField as bad:
            where = where + lines.get(bad.path, 1) - 1
            raise CannotTake(f"{bad.path or 'question'}: {bad.reason}") from bad

    found = item_or_reason(start, kind, made)
    return Skipped(where, found.kind, found.reason) if isinstance(found, Skipped) else found


def parsed(text: str) -> tuple[Any, dict[str, int]]:
    """YAML as values and lines, without aliases and deep nesting, which can blow up. Raises BadYaml."""
    try:
        depth = 0
        for event in yaml.parse(text, Loader=LOADER):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.AliasEvent):
                raise BadYaml(line, "uses an anchor or alias (&, *), which isn’t allowed")
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
        raise BadYaml(1, "contains a value that can’t be read") from error


def write(items: Iterable[Item]) -> Iterator[str]:
    """Items as a list of single ones and, if any, a list of families."""
    alone, families = by_family(items)
    if alone or not families:
        yield from _listed("questions", map(row_of, alone))
    if families:
        yield from _listed("families", map(row_of_family, families))


def _listed(name: str, rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    start = f"{name}:\n"
    for row in rows:
        yield start
        start = ""
        text = yaml.dump([row], Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=WIDTH)
        yield "\n".join(f"  {line}" if line.strip() else line for line in text.split("\n"))
    if start:
        yield f"{name}: []\n"


class _Dumper(DUMPER):  # type: ignore[misc, valid-type]
    """Multi-line texts are dumped as they are."""


def _text(dumper: Any, text: str) -> Any:
    is_block = "\n" in text and not re.search(r"[^\S \n]|[ \t]$|\A\s", text, re.MULTILINE)
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if is_block else None)


_Dumper.add_representer(str, _text)
