"""Product names in one place: texts say ``{{pipelines}}``, so that a rename is one edit, and an end is known."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

TOKEN = re.compile(r"\{\{\s*([a-z0-9-]+)\s*\}\}")


class UnknownTerm(ValueError):
    """A text names a term that the glossary does not hold."""


CURRENT, DEPRECATED, RETIRED = "current", "deprecated", "retired"
STATUSES = (CURRENT, DEPRECATED, RETIRED)


@dataclass(frozen=True)
class Term:
    """A product's current name and, where it was renamed, the one before; whether it goes on, and what follows it."""

    name: str
    former: str = ""
    status: str = CURRENT
    successor: str = ""
    ends: dt.date | None = None
    source: str = ""  # the page that says when it ends


Glossary = dict[str, Term]


def read_glossary(path: Path) -> Glossary:
    """Read ``glossary.yaml``; a missing file is an empty glossary."""
    if not path.exists():
        return {}
    rows = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    return {key: _term(row, f"{path}: terms.{key}") for key, row in rows["terms"].items()}


def _term(row: dict[str, Any], where: str) -> Term:
    term = Term(**row)
    if term.status not in STATUSES:
        raise ValueError(f"{where}: status must be one of {', '.join(STATUSES)}")
    if term.status != CURRENT and not term.source.startswith("https://"):
        raise ValueError(f"{where}: names no source for its status")
    return term


def expand(text: str, glossary: Glossary, introduce: bool = False) -> str:
    """Replace each token by its name; ``introduce`` adds the former name at the first mention."""
    introduced: set[str] = set()

    def name(match: re.Match[str]) -> str:
        key = match.group(1)
        if key not in glossary:
            raise UnknownTerm(f"“{key}” is not in the glossary")
        term = glossary[key]
        if introduce and term.former and key not in introduced:
            introduced.add(key)
            return f"{term.name} (formerly {term.former})"
        return term.name

    return TOKEN.sub(name, text)
