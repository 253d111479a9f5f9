"""Our own form of a question, as plain data for YAML and JSON: complete drafts as in bank files, or items.

A row with a difficulty is a complete question (docs/bank-format.md, plus its domain); any other is an item in the
import's neutral form.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Collection
from typing import Any

from questions.catalogue.rules.sources import Source
from questions.catalogue.rules.yaml_fields import BadField, list_of, mapping, plain
from questions.formats.rules.items import Item, ItemOption, item_of_draft, kind_of
from questions.formats.rules.limits import OPTIONS
from questions.formats.rules.reading.html_text import Texts
from questions.versions.rules.draft import (
    ANSWER_PARTS,
    DIFFICULTIES,
    KINDS,
    POOL_NAMES,
    DraftClue,
    DraftOption,
    DraftQuestion,
)

ITEM_FIELDS = {"id", "kind", "title", "stem", "options", "explanation", "tags", "category"}
TEXTS = ("title", "stem", "family", "clause", *ANSWER_PARTS)
LISTS = ("concepts", "objectives", "key_concepts", "exam_tips", "modules")
DRAFT_FIELDS = {field.name for field in dataclasses.fields(DraftQuestion)} - {"key"} | {"id", "waive"}
NEEDED = {"id", "kind", "difficulty", "pool", "stem", "options"}


def row_of(item: Item) -> dict[str, Any]:
    """An item as plain data, without empty fields."""
    if item.draft:
        row = {"id": item.draft.key, **dataclasses.asdict(item.draft)}
        del row["key"]
        row["options"] = [_without_empty(option, keep=("text", "tempts", "why")) for option in row["options"]]
        row["clues"] = [_without_empty(clue, keep=("phrase", "why", "confirms")) for clue in row["clues"]]
        row["sources"] = [_without_empty(source, keep=("title", "url")) for source in row["sources"]]
        return _without_empty(row, keep=NEEDED)
    row = dataclasses.asdict(item)
    options = [_without_empty(option, keep=("text",)) for option in row["options"]]
    return _without_empty(
        {**{name: row[name] for name in sorted(ITEM_FIELDS, key=list(row).index)}, "options": options}
    )


def _without_empty(row: dict[str, Any], keep: Any = ("stem", "options")) -> dict[str, Any]:
    return {name: _plain_data(v) for name, v in row.items() if name in keep or v not in ("", (), [], {}, None, False)}


def _plain_data(value: Any) -> Any:
    """Tuples converted to lists, at any depth."""
    if isinstance(value, list | tuple):
        return [_plain_data(part) for part in value]
    return {name: _plain_data(part) for name, part in value.items()} if isinstance(value, dict) else value


def item_of_row(line: int, row: Any, domain: str = "") -> Item:
    """Plain data as an item. Raises BadField, and CannotTake for a text that needs a picture."""
    if isinstance(row, dict) and "difficulty" in row:
        return item_of_draft(_draft({"domain": domain} | row), line)
    row = mapping(row, "", ITEM_FIELDS, ITEM_FIELDS - {"stem", "options"})
    texts = Texts()
    options = [_item_option(v, f"options[{i}]", texts) for i, v in enumerate(list_of(row["options"], "options"))]
    kind = _one_of(row, "kind", KINDS) if "kind" in row else kind_of(sum(option.right for option in options))
    return Item(
        line=line,
        id=plain(row.get("id", ""), "id"),
        kind=kind,
        stem=texts.markdown(plain(row["stem"], "stem")),
        options=tuple(options),
        title=plain(row.get("title", ""), "title"),
        explanation=texts.markdown(plain(row.get("explanation", ""), "explanation"), needed=False),
        tags=_text_list(row, "tags"),
        category=plain(row.get("category", ""), "category"),
        warnings=tuple(texts.warnings),
    )


def _item_option(value: Any, path: str, texts: Texts) -> ItemOption:
    row = mapping(value, path, {"text", "right", "feedback"}, {"right", "feedback"})
    feedback = texts.markdown(plain(row.get("feedback", ""), f"{path}.feedback"), needed=False)
    return ItemOption(texts.markdown(plain(row["text"], f"{path}.text")), _truth(row, path), feedback)


def _draft(value: dict[str, Any]) -> DraftQuestion:
    row = mapping(value, "", DRAFT_FIELDS, DRAFT_FIELDS - NEEDED)
    options = tuple(_option(v, f"options[{i}]") for i, v in enumerate(list_of(row["options"], "options")))
    if len({option.slot for option in options}) != len(options):
        raise BadField("options", "use a slot twice")
    read_on = row.get("second_read_on")
    texts = {name: plain(row.get(name, ""), name) for name in (*TEXTS, "second_reader")}
    lists = {name: _text_list(row, name) for name in LISTS}
    facts: dict[str, Any] = {**texts, **lists}
    return DraftQuestion(
        key=plain(row["id"], "id"),
        domain=plain(row["domain"], "domain"),
        pool=POOL_NAMES[_one_of(row, "pool", POOL_NAMES)],
        kind=_one_of(row, "kind", KINDS),
        difficulty=_one_of(row, "difficulty", DIFFICULTIES),
        options=options,
        clues=tuple(_clue(v, f"clues[{i}]") for i, v in enumerate(list_of(row.get("clues", []), "clues"))),
        sources=tuple(_source(v, f"sources[{i}]") for i, v in enumerate(list_of(row.get("sources", []), "sources"))),
        second_read_on=_date(read_on, "second_read_on") if read_on else None,
        **facts,
    )


def _option(value: Any, path: str) -> DraftOption:
    optional = {"right", "concept", "tempts", "why", "right_if", "never"}
    row = mapping(value, path, {"slot", "text", *optional}, optional)
    return DraftOption(
        slot=_slot(row["slot"], f"{path}.slot"),
        text=plain(row["text"], f"{path}.text"),
        right=_truth(row, path),
        tempts=plain(row.get("tempts", ""), f"{path}.tempts"),
        why=plain(row.get("why", ""), f"{path}.why"),
        concept=plain(row["concept"], f"{path}.concept") if row.get("concept") else None,
        right_if=plain(row.get("right_if", ""), f"{path}.right_if"),
        never="" if row.get("right_if") else plain(row.get("never", ""), f"{path}.never"),
    )


def _clue(value: Any, path: str) -> DraftClue:
    row = mapping(value, path, {"phrase", "why", "confirms", "rules_out"}, {"why", "confirms", "rules_out"})
    return DraftClue(
        plain(row["phrase"], f"{path}.phrase"),
        plain(row.get("why", ""), f"{path}.why"),
        _slots(row.get("confirms", []), f"{path}.confirms"),
        _slots(row.get("rules_out", []), f"{path}.rules_out"),
    )


def _slots(value: Any, path: str) -> tuple[int, ...]:
    return tuple(_slot(slot, f"{path}[{i}]") for i, slot in enumerate(list_of(value, path)))


def _source(value: Any, path: str) -> Source:
    row = mapping(value, path, {"title", "url", "as_of", "says"}, {"as_of", "says"})
    url = plain(row["url"], f"{path}.url")
    if url and not url.startswith("https://"):  # without a URL it is its author's own knowledge
        raise BadField(f"{path}.url", "must start with https://")
    return Source(
        plain(row["title"], f"{path}.title"),
        url,
        _date(row["as_of"], f"{path}.as_of") if row.get("as_of") else None,
        plain(row.get("says", ""), f"{path}.says"),
    )


def _slot(value: Any, path: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= OPTIONS:
        raise BadField(path, f"must be a number from 1 to {OPTIONS}")
    return value


def _truth(row: dict[str, Any], path: str) -> bool:
    right = row.get("right", False)
    if not isinstance(right, bool):
        raise BadField(f"{path}.right", "must be true or false")
    return right


def _date(value: Any, path: str) -> dt.date:
    """A date, which JSON writes as text."""
    try:
        found = dt.date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        found = None
    if not isinstance(found, dt.date) or isinstance(found, dt.datetime):
        raise BadField(path, "must be a date like 2026-06-30")
    return found


def _one_of(row: dict[str, Any], name: str, allowed: Collection[str]) -> str:
    if row[name] not in allowed:
        raise BadField(name, f"must be one of {', '.join(allowed)}")
    return str(row[name])


def _text_list(row: dict[str, Any], name: str) -> tuple[str, ...]:
    return tuple(plain(v, f"{name}[{i}]") for i, v in enumerate(list_of(row.get(name, []), name)))
