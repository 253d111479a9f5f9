"""Product names in one place: texts say ``{{pipelines}}``, so that a rename is one edit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

TOKEN = re.compile(r"\{\{\s*([a-z0-9-]+)\s*\}\}")


class UnknownTerm(ValueError):
    """A text names a term that the glossary does not hold."""


@dataclass(frozen=True)
class Term:
    """A product's current name and, where it was renamed, the one before."""

    name: str
    former: str = ""


Glossary = dict[str, Term]


def read_glossary(path: Path) -> Glossary:
    """Read ``glossary.yaml``; a missing file is an empty glossary."""
    if not path.exists():
        return {}
    rows = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    return {key: Term(row["name"], row.get("former", "")) for key, row in rows["terms"].items()}


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
