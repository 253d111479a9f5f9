"""Product names in one place, and which are ending: texts use ``{{pipelines}}``, so that a rename is one edit."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from questions.catalogue.rules.yaml_fields import LOADER

TOKEN = re.compile(r"\{\{\s*([a-z0-9-]+)\s*\}\}")


class UnknownTerm(ValueError):
    """A text uses a term that isn't in the glossary."""


CURRENT, DEPRECATED, RETIRED = "current", "deprecated", "retired"
STATUSES = (CURRENT, DEPRECATED, RETIRED)


@dataclass(frozen=True)
class Term:
    """A product's current name and, if renamed, the former one; whether it is ending, and its successor."""

    name: str
    former: str = ""
    status: str = CURRENT
    successor: str = ""
    ends: dt.date | None = None
    source: str = ""  # the page that says when it ends
    what: str = ""  # what it is, in our own words


Glossary = dict[str, Term]


@dataclass(frozen=True)
class GlossaryFile:
    """The terms, the page that lists renamed products, and when the names were last checked against it."""

    terms: Glossary
    source: str = ""
    checked_on: dt.date | None = None


def read_glossary(path: Path) -> Glossary:
    """The terms of ``glossary.yaml``; a missing file is an empty glossary."""
    return read_glossary_file(path).terms


def read_glossary_file(path: Path) -> GlossaryFile:
    """``glossary.yaml``, or an empty glossary if there is none."""
    if not path.exists():
        return GlossaryFile({})
    rows = yaml.load(path.read_text(encoding="utf-8"), Loader=LOADER) or {}  # noqa: S506  # a safe one
    terms = {key: _term(row, f"{path}: terms.{key}") for key, row in rows["terms"].items()}
    return GlossaryFile(terms, rows.get("source", ""), rows.get("checked_on"))


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
