"""Leaves unread the files that ``-m`` leaves out as a whole, which saves a third of the time it takes to collect.

Such a file's ``pytestmark`` has a marker that ``-m`` refuses. ``make check`` still imports every file.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

OF_FILE = re.compile(r"^pytestmark = (\[.*?\]$|[^\[].*?$)", re.MULTILINE | re.DOTALL)
MARKER = re.compile(r"pytest\.mark\.(\w+)")
REFUSED = re.compile(r"not (\w+)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore a file all of whose tests would be deselected."""
    if not collection_path.match("test_*.py"):
        return None
    gone = markers_of_file(collection_path.read_text()) & refused(config.getoption("markexpr"))
    return True if gone else None


def refused(expression: str) -> set[str]:
    """Return the markers no selected test may carry; none if the expression has more than ``and`` and ``not``."""
    found = [REFUSED.fullmatch(part) for part in expression.split(" and ")]
    simple = not re.search(r"\bor\b|\(", expression)
    return {each[1] for each in found if each} if simple else set()


def markers_of_file(text: str) -> set[str]:
    """Return the markers that a file gives to all of its tests."""
    return {name for marks in OF_FILE.findall(text) for name in MARKER.findall(marks)}
