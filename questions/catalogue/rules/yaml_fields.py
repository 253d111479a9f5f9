"""Reading YAML written by people: the line of every field, and a reason for every refusal."""

from __future__ import annotations

import datetime as dt
from collections.abc import Set
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C parser, if available, is 15 times as fast


class BadField(ValueError):
    """An invalid field: its path and the reason."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


class BadYaml(ValueError):
    """A file that can't be read at all: its line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


def read_yaml(text: str) -> tuple[Any, dict[str, int]]:
    """Parse YAML, keeping the line of each path (``options[0].text``). Raises BadYaml."""
    try:
        node = yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise BadYaml(line, error.problem or "is not YAML") from error
    lines: dict[str, int] = {}
    value = _value(node, "", lines, SafeConstructor()) if node is not None else None
    return value, lines


def _value(node: yaml.Node, path: str, lines: dict[str, int], plain: SafeConstructor) -> Any:
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        result = {}
        for key_node, value_node in node.value:
            key = key_node.value
            if not isinstance(key_node, yaml.ScalarNode):
                raise BadYaml(key_node.start_mark.line + 1, "a field's name must be a word (quote text in braces)")
            if key in result:
                raise BadYaml(key_node.start_mark.line + 1, f"“{key}” appears twice")
            child = f"{path}.{key}" if path else key
            result[key] = _value(value_node, child, lines, plain)
            lines[child] = key_node.start_mark.line + 1
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, f"{path}[{i}]", lines, plain) for i, item in enumerate(node.value)]
    return plain.construct_object(node, deep=True)


def mapping(value: Any, path: str, fields: Set[str], optional: Set[str] = frozenset()) -> dict[str, Any]:
    """A mapping with no unknown and no missing field. Raises BadField."""
    if not isinstance(value, dict):
        raise BadField(path, "must have named fields")
    for name in value:
        if name not in fields:
            raise BadField(f"{path}.{name}" if path else name, "is not a field of the format")
    for name in sorted(fields - optional):
        if name not in value:
            raise BadField(f"{path}.{name}" if path else name, "is missing")
    return value


def list_of(value: Any, path: str) -> list[Any]:
    """A list. Raises BadField."""
    if not isinstance(value, list):
        raise BadField(path, "must be a list")
    return value


def plain(value: Any, path: str) -> str:
    """Text without surrounding white space. Raises BadField."""
    if not isinstance(value, str):
        raise BadField(path, "must be text (quote it where YAML reads it as something else)")
    return value.strip()


def date(value: Any, path: str) -> dt.date:
    """A date. Raises BadField."""
    if not isinstance(value, dt.date):
        raise BadField(path, "must be a date like 2026-06-30")
    return value


def whole_number(value: Any, path: str) -> int:
    """A count. Raises BadField."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadField(path, "must be a whole number from 1")
    return value


def texts(value: Any, path: str) -> tuple[str, ...]:
    """A list of texts. Raises BadField."""
    return tuple(plain(each, f"{path}[{i}]") for i, each in enumerate(list_of(value, path)))
