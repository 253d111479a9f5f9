"""A family in a bank file, expanded into its questions; pure.

What the questions share is written once, for the family; what differs is in the variants; other fields can be in either
place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from questions.catalogue.rules.glossary import TOKEN, Glossary, Term, UnknownTerm, expand
from questions.catalogue.rules.yaml_fields import BadField, list_of, mapping, plain
from questions.versions.rules.family import CLAUSE

OF_THE_FAMILY = {"id", "pool", "kind", "stem", "options", "variants"}
OF_THE_VARIANT = {"id", "title", "clause", "key", "why", "clues", "waive"}
OF_AN_OPTION = {"slot", "text", "tempts", "right_if", "never", "concept"}
VARIANT = re.compile(r"variants\[(\d+)\](?:\.|\Z)(.*)", re.S)


@dataclass(frozen=True)
class Variant:
    """A question of a family in the form of an ordinary question's row, with each field's line."""

    family: str
    clause: str
    row: dict[str, Any]
    lines: dict[str, int]


def variants_of(family: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Each variant in the form of an ordinary question's row: the whole stem, each option with right and why.

    Raises KeyError for a missing field, TypeError for a wrong shape.
    """
    shared = {name: value for name, value in family.items() if name not in ("id", "variants")}
    for variant in family["variants"]:
        own = {name: value for name, value in variant.items() if name not in ("clause", "key", "why")}
        stem = str(family["stem"]).replace(CLAUSE, str(variant["clause"]).strip())
        reasons = {str(slot): why for slot, why in variant["why"].items()}
        options = [
            {**option, "right": option["slot"] in variant["key"], "why": reasons.get(str(option["slot"]), "")}
            for option in family["options"]
        ]
        yield {**shared, **own, "stem": stem, "options": options}


def spread(value: Any, lines: Mapping[str, int], either: set[str], glossary: Glossary | None) -> list[Variant]:
    """The questions of a family, with product names in stem and clauses; ``lines`` are the family's own fields'.

    ``either`` are the fields that can be in the family or its variants. Without a glossary, texts stay as written, for
    files that aren't bank files. Raises BadField.
    """
    family = mapping(value, "", OF_THE_FAMILY | either, either)
    slots = _slots(family)
    stem = _expanded(family["stem"], "stem", glossary)
    if stem.count(CLAUSE) != 1:
        raise BadField("stem", f"needs one place for the {CLAUSE}")
    # A product's former name is given once: if the shared stem does, no clause repeats it.
    introduced = TOKEN.findall(family["stem"])
    known = glossary and {name: Term(t.name) if name in introduced else t for name, t in glossary.items()}
    variants = []
    for i, each in enumerate(list_of(family["variants"], "variants")):
        own = _variant(each, f"variants[{i}]", family, slots, either)
        variants.append(own | {"clause": _expanded(own["clause"], f"variants[{i}].clause", known)})
    if not variants:
        raise BadField("variants", "needs at least one")
    rows = variants_of({**family, "stem": stem, "variants": variants})
    return [
        Variant(str(family["id"]), own["clause"], row, _lines(lines, i, family, own))
        for i, (own, row) in enumerate(zip(variants, rows, strict=True))
    ]


def _slots(family: dict[str, Any]) -> list[int]:
    slots = []
    for i, option in enumerate(list_of(family["options"], "options")):
        slots.append(mapping(option, f"options[{i}]", OF_AN_OPTION, OF_AN_OPTION - {"slot", "text", "tempts"})["slot"])
    return slots


def _variant(value: Any, path: str, family: dict[str, Any], slots: list[int], either: set[str]) -> dict[str, Any]:
    row = mapping(value, path, OF_THE_VARIANT | either, {"waive"} | either)
    for name in row:
        if name != "id" and name in family:
            raise BadField(f"{path}.{name}", "is set in the family too")
    if not plain(row["clause"], f"{path}.clause"):
        raise BadField(f"{path}.clause", "is empty")
    for slot in list_of(row["key"], f"{path}.key"):
        if slot not in slots:
            raise BadField(f"{path}.key", f"{slot} is no slot of the family’s options")
    if not isinstance(row["why"], dict):
        raise BadField(f"{path}.why", "must give a reason by slot")
    for slot in row["why"]:
        if str(slot) not in map(str, slots):
            raise BadField(f"{path}.why.{slot}", "is no slot of the family’s options")
    missing = [str(slot) for slot in slots if str(slot) not in map(str, row["why"])]
    if missing:
        raise BadField(f"{path}.why", f"doesn’t mention slot {', '.join(missing)}")
    return row


def _expanded(value: Any, path: str, glossary: Glossary | None) -> str:
    text = plain(value, path)
    try:
        return text if glossary is None else expand(text, glossary, introduce=True)
    except UnknownTerm as error:
        raise BadField(path, str(error)) from error


def _lines(lines: Mapping[str, int], place: int, family: dict[str, Any], own: dict[str, Any]) -> dict[str, int]:
    """The lines of a variant's fields, by their names in an ordinary question."""
    found = {path: line for path, line in lines.items() if path and not path.startswith("variants")}
    for path, line in lines.items():
        match = VARIANT.match(path)
        if match and int(match.group(1)) == place:
            found[match.group(2)] = line
    for i, option in enumerate(family["options"]):
        found[f"options[{i}].right"] = found.get("key", 1)
        found[f"options[{i}].why"] = found.get(f"why.{option['slot']}", found.get("why", 1))
    return found
