"""Rows of a table to items and back, for CSV and XLSX: one question a row, its columns named in the first row.

A column is known by any of several names. Options stand in columns of their own (``option a``, ``option b`` or
``option 1``, ``option 2``), their feedback beside them (``feedback a``). What is right stands in one column: by the
letter or number of the option as its column has it, else by the option's own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from questions.formats.rules.items import (
    MULTIPLE,
    SINGLE,
    CannotTake,
    Found,
    Item,
    ItemOption,
    item_or_reason,
    kind_of,
    of_other_kind,
)
from questions.formats.rules.limits import CELLS, ITEM_CHARACTERS, OPTIONS
from questions.formats.rules.reading.formulas import is_formula
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.pictures import NEEDS_MEDIA

LETTERS = "abcdefghijklmnopqrstuvwxyz"[:OPTIONS]
NAMES = {
    "id": ("id", "identifier", "key", "question id", "external id"),
    "kind": ("kind", "type", "question type"),
    "title": ("title", "name", "question name", "question title"),
    "stem": ("stem", "question", "question text", "prompt", "text"),
    "correct": ("correct", "answer", "correct answer", "correct answers", "right", "right answer", "correct option",
                "correct options", "answer key", "solution", "correct choice"),
    "explanation": ("explanation", "rationale", "general feedback", "overall explanation", "feedback"),
    "tags": ("tags", "tag", "keywords", "labels"),
    "category": ("category", "domain", "topic", "section", "subject"),
    "image": ("image", "image link", "image url", "picture"),
}  # fmt: skip
FIELDS = {name: field for field, names in NAMES.items() for name in names}
OPTION_COLUMN = re.compile(r"(?:answer )?(?:option|choice|answer)? ?([a-n]|\d{1,2})$")
FEEDBACK_COLUMN = re.compile(r"(?:feedback|explanation|rationale) ?([a-n]|\d{1,2})$")
FEEDBACK_AFTER = re.compile(
    r"(?:answer )?(?:option|choice|answer) ?([a-n]|\d{1,2}) (?:feedback|explanation|rationale)$"
)
SINGLE_KINDS = {"single", "multiple choice", "multichoice", "mc", "single choice", "single answer", "true false"}
MULTIPLE_KINDS = {"multiple", "multiple answer", "multiple answers", "multiple response", "multiple select", "ma"}
MULTIPLE_KINDS |= {"multi select", "checkbox", "checkboxes", "several"}
APOSTROPHE = "'"


@dataclass(frozen=True)
class Columns:
    """Where each field stands; options and feedback by the sign of their column, in order."""

    fields: dict[str, int]
    options: dict[str, int]
    feedback: dict[str, int]


def columns_of(header: Sequence[str]) -> Columns | None:
    """The columns of a first row; None where it does not name a question, two options and what is right."""
    fields: dict[str, int] = {}
    options: dict[str, int] = {}
    feedback: dict[str, int] = {}
    for place, cell in enumerate(header[:CELLS]):
        name = " ".join(re.findall(r"[a-z]+|\d+", cell.lower()))
        told = FEEDBACK_COLUMN.match(name) or FEEDBACK_AFTER.match(name)
        option = OPTION_COLUMN.match(name)
        if name in FIELDS:
            fields.setdefault(FIELDS[name], place)
        elif told:
            feedback.setdefault(told.group(1), place)
        elif option:
            options.setdefault(option.group(1), place)
    if "stem" not in fields or "correct" not in fields or len(options) < 2:
        return None
    return Columns(fields, options, feedback)


def item_of_row(columns: Columns, line: int, row: Sequence[str]) -> Found:
    """One row as an item, or the reason why it is none of ours."""
    kind = _cell(row, columns.fields.get("kind")) or "question"
    return item_or_reason(line, kind, lambda: _item(columns, line, row))


def _cell(row: Sequence[str], place: int | None) -> str:
    """A cell, without the apostrophe that keeps a spreadsheet from reading it as a formula."""
    text = row[place].replace("\r\n", "\n").strip() if place is not None and place < len(row) else ""
    return text[1:] if text.startswith(APOSTROPHE) and _needs_guard(text[1:]) else text


def _item(columns: Columns, line: int, row: Sequence[str]) -> Item:
    if sum(map(len, row)) > ITEM_CHARACTERS:
        raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")
    cell = {field: _cell(row, columns.fields.get(field)) for field in NAMES}
    if cell["image"]:
        raise CannotTake(NEEDS_MEDIA)
    stated = _kind(cell["kind"])
    words = {sign: _cell(row, place) for sign, place in columns.options.items()}
    words = {sign: text for sign, text in words.items() if text}
    right = _right(cell["correct"], words)
    if stated == SINGLE and len(right) > 1:
        raise CannotTake(f"is a single-answer item but names {len(right)} right options")
    texts = Texts()
    told = {sign: texts.markdown(_cell(row, columns.feedback.get(sign)), needed=False) for sign in words}
    return Item(
        line=line,
        id=cell["id"],
        kind=stated or kind_of(len(right)),
        stem=texts.markdown(cell["stem"]),
        options=tuple(ItemOption(texts.markdown(text), sign in right, told[sign]) for sign, text in words.items()),
        title=" ".join(cell["title"].split()),
        explanation=texts.markdown(cell["explanation"], needed=False),
        tags=tuple(dict.fromkeys(tag.strip() for tag in re.split("[,;]", cell["tags"]) if tag.strip())),
        category=cell["category"],
        warnings=tuple(texts.warnings),
    )


def _kind(stated: str) -> str:
    """Our kind, "" where the row does not say. Raises CannotTake for another one."""
    name = " ".join(re.findall(r"[a-z]+", stated.lower()))
    if not name or name in SINGLE_KINDS:
        return SINGLE if name and not name.startswith("m") else ""
    if name in MULTIPLE_KINDS:
        return MULTIPLE
    raise of_other_kind(stated)


def _right(stated: str, words: dict[str, str]) -> set[str]:
    """The signs of the right options. Raises CannotTake."""
    if not stated:
        raise CannotTake("names no right option")
    whole = [sign for sign, text in words.items() if text == stated]
    by_sign = _by_signs(stated, words)
    if by_sign and len(whole) == 1 and set(whole) != by_sign:
        raise CannotTake(f"names “{stated[:40]}” as right, which is the label of one option and the text of another")
    if by_sign or len(whole) == 1:
        return by_sign or set(whole)
    parts = [part.strip() for part in re.split(r"[;|\n]", stated)]
    found = {sign for part in parts for sign, text in words.items() if text == part}
    if len(found) != len(parts):
        raise CannotTake(f"names “{stated[:40]}” as right, which isn’t one of its options")
    return found


def _by_signs(stated: str, words: dict[str, str]) -> set[str]:
    """Options named by the letter or number of their column, or by the other of the two, counted in order."""
    bare = re.sub(r"\b(?:options?|answers?|choices?|and)\b", " ", stated.lower())
    signs = [part for part in re.split(r"[,;/|&().\s]+", bare) if part]
    if len(signs) == 1 and signs[0].isalpha() and set(signs[0]) <= set(words):
        signs = list(signs[0])  # "AC"
    for known in (list(words), list(LETTERS[: len(words)]), [str(n) for n in range(1, len(words) + 1)]):
        if signs and all(sign in known for sign in signs):
            return {list(words)[known.index(sign)] for sign in signs}
    return set()


def header_of(items: Iterable[Item]) -> list[str]:
    """The first row for these items: as many options as the longest has."""
    letters = LETTERS[: max([2, *(len(item.options) for item in items)])]
    options = [name for letter in letters for name in (f"option {letter}", f"feedback {letter}")]
    return ["id", "kind", "title", "question", *options, "correct", "explanation", "tags", "category"]


def row_of(item: Item, header: Sequence[str]) -> list[str]:
    """The row of an item under a header of ours. What a spreadsheet would take for a formula gets an apostrophe."""
    cells: dict[str, str] = {
        "id": item.id,
        "kind": item.kind,
        "title": item.title,
        "question": item.stem,
        "correct": ",".join(f"option {LETTERS[place]}" for place in item.correct),
        "explanation": item.explanation,
        "tags": "; ".join(item.tags),
        "category": item.category,
    }
    for letter, option in zip(LETTERS, item.options, strict=False):
        cells |= {f"option {letter}": option.text, f"feedback {letter}": option.feedback}
    return [_guarded(cells.get(name, "")) for name in header]


def _guarded(text: str) -> str:
    return APOSTROPHE + text if _needs_guard(text) else text


def _needs_guard(text: str) -> bool:
    """An apostrophe of the text's own gets another, so that reading takes away none but ours."""
    return is_formula(text) or text.startswith(APOSTROPHE)
