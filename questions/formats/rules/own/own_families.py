"""Families in our own format, as in bank files: shared parts once, the rest with each variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from questions.bank_files.rules.families import OF_AN_OPTION, OF_THE_FAMILY, OF_THE_VARIANT, Variant, spread
from questions.catalogue.rules.yaml_fields import BadField
from questions.formats.rules.items import Item
from questions.formats.rules.limits import VARIANTS
from questions.formats.rules.own.own_rows import DRAFT_FIELDS, NEEDED, row_of
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.family import CLAUSE, Shared, shared_of, template_of

EITHER = DRAFT_FIELDS - {"family", "clause"} - OF_THE_FAMILY - OF_THE_VARIANT
KEPT = NEEDED | OF_THE_VARIANT


def by_family(items: Iterable[Item]) -> tuple[list[Item], list[list[Item]]]:
    """The single items, and the questions of each family, in the order of each one's first.

    A question that disagrees with the first of its family where they should agree is kept separate, with the names of
    family and clause, so nothing is lost.
    """
    alone: list[Item] = []
    families: dict[str, tuple[object, list[Item]]] = {}
    for item in items:
        draft = item.draft
        if draft is None or not _is_variant(draft):
            alone.append(item)
            continue
        shared, members = families.setdefault(draft.family, (_shared(draft), []))
        fits = shared == _shared(draft) and len(members) < VARIANTS
        (members if fits else alone).append(item)
    return alone, [members for _, members in families.values()]


def _is_variant(draft: DraftQuestion) -> bool:
    """Whether family and clause reproduce the question's stem."""
    clause = draft.clause
    return (
        bool(draft.family and clause.strip() == clause) and draft.stem.count(clause) == 1 and CLAUSE not in draft.stem
    )


def _shared(draft: DraftQuestion) -> tuple[Shared, list[int]]:
    return shared_of(draft), [option.slot for option in draft.options]


def row_of_family(members: list[Item]) -> dict[str, Any]:
    """A family as plain data. What all variants have in common is in the family; the rest in each variant."""
    drafts, rows = [item.draft for item in members if item.draft], [row_of(item) for item in members]
    first, others = rows[0], rows[1:]
    alike = [
        name for name in first if name in EITHER and others and all(row.get(name) == first[name] for row in others)
    ]
    shared = [name for name in dict.fromkeys(["domain", *alike]) if name in first]
    return {
        "id": drafts[0].family,
        "pool": first["pool"],
        "kind": first["kind"],
        "stem": template_of(drafts[0].stem, drafts[0].clause),
        "options": [{name: v for name, v in option.items() if name in OF_AN_OPTION} for option in first["options"]],
        **{name: first[name] for name in shared},
        "variants": [_variant(d, row, shared) for d, row in zip(drafts, rows, strict=True)],
    }


def _variant(draft: DraftQuestion, row: dict[str, Any], shared: list[str]) -> dict[str, Any]:
    own = {
        "id": draft.key,
        "title": draft.title,
        "clause": draft.clause,
        "key": list(draft.right_slots),
        "why": {option.slot: option.why for option in draft.options},
        "clues": row.get("clues", []),
    }
    return own | {name: value for name, value in row.items() if name in EITHER and name not in shared}


def variants_in(row: Any, lines: Mapping[str, int]) -> Iterator[Variant]:
    """A family's questions in plain data, each as an ordinary question's row. Raises BadField."""
    found = spread(row, lines, EITHER, None)
    if len(found) > VARIANTS:
        raise BadField("variants", f"are more than {VARIANTS}")
    return iter(found)
