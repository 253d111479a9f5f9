"""Reads from our modules' text what they import."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent.parent
APPS = ("courseiva", "questions", "practice", "discussion")


@cache
def modules() -> dict[str, Path]:
    """Return our modules by dotted name, without migrations."""
    found = {}
    for app in APPS:
        for path in sorted((BASE / app).rglob("*.py")):
            parts = path.relative_to(BASE).with_suffix("").parts
            if "migrations" not in parts and "__pycache__" not in parts:
                found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the file's syntax tree, parsed only once."""
    return ast.parse(path.read_text(), str(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of the file's tree, collected only once: walking takes longer than parsing."""
    return tuple(ast.walk(tree_of(path)))


@cache
def imported_names(module: str, path: Path) -> tuple[tuple[str, int], ...]:
    """Return every absolute name a module imports, inside functions too. `from a import b` gives a.b and a."""
    return tuple(_imported_names(module, path))


def _imported_names(module: str, path: Path) -> Iterator[tuple[str, int]]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
            start = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*start, *([node.module] if node.module else [])])
            yield source, node.lineno
            yield from ((f"{source}.{alias.name}", node.lineno) for alias in node.names)


def files_needed_by(start: set[Path]) -> set[Path]:
    """Return these files and all of ours that they import, directly or not, including the packages around them."""
    found, ahead = set(start), list(start)
    while ahead:
        path = ahead.pop()
        module = ".".join(path.relative_to(BASE).with_suffix("").parts).removesuffix(".__init__")
        for name, _ in imported_names(module, path):
            parts = name.split(".")
            around = {modules().get(".".join(parts[:n])) for n in range(1, len(parts) + 1)} - {None} - found
            found |= around
            ahead += around
    return found
