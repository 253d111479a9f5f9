"""An exam's ``retired.yaml``: questions its files no longer ask. The format: docs/bank-format.md."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from questions.catalogue.rules.yaml_fields import BadField, date, list_of, mapping, plain, read_yaml

RETIRED_FILE = "retired.yaml"
WHY_LENGTH = 300
"""Room for two sentences: it's on the retired question's page and a line in the errata."""


@dataclass(frozen=True)
class Retired:
    """Why a question is no longer asked, since when, and its successor, if any."""

    key: str
    why: str
    on: dt.date
    successor: str


def read_retired(path: Path) -> list[Retired]:
    """The rows in file order; none without a file. Raises BadField or BadYaml."""
    if not path.exists():
        return []
    top = mapping(read_yaml(path.read_text(encoding="utf-8"))[0], "", {"retired"})
    found: dict[str, Retired] = {}
    for i, value in enumerate(list_of(top["retired"], "retired")):
        here = f"retired[{i}]"
        row = mapping(value, here, {"id", "why", "on", "successor"}, {"successor"})
        each = Retired(
            plain(row["id"], f"{here}.id"),
            plain(row["why"], f"{here}.why"),
            date(row["on"], f"{here}.on"),
            plain(row.get("successor", ""), f"{here}.successor"),
        )
        if not each.key or each.key in found:
            raise BadField(f"{here}.id", "is listed twice" if each.key else "is empty")
        if not 0 < len(each.why) <= WHY_LENGTH:
            raise BadField(f"{here}.why", f"must have 1 to {WHY_LENGTH} characters")
        if each.successor == each.key:
            raise BadField(f"{here}.successor", "is the question itself")
        found[each.key] = each
    return list(found.values())


def fault_of(each: Retired, asked: Collection[str], known: Collection[str]) -> str:
    """Why a row can't be applied; "" if it can. ``asked`` are in the files, ``known`` can be successors."""
    if each.key in asked:
        return f"{each.key}: is still in a question file"
    if each.successor and each.successor not in known:
        return f"{each.key}: its successor “{each.successor}” is no question of the exam"
    return ""
