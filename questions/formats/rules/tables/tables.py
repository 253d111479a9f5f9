"""Table rows to items and back, for CSV and XLSX: one question per row, columns as in headers.py.

The right options are in one column: by the letter or number in the option's column, else by the option's own text.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence

from courseiva.common.texts.spreadsheet_formulas import is_formula
from questions.catalogue.rules.sources import OWN_WORK, Source
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
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.reading.columns.headers import LETTERS, NAMES, SOURCE, Columns
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.pictures import NEEDS_MEDIA

SINGLE_KINDS = {"single", "multiple choice", "multichoice", "mc", "single choice", "single answer", "true false"}
SINGLE_KINDS |= {"truefalse", "true or false", "tf", "boolean", "quiz", "mcq", "radio", "radio button", "radio buttons"}
MULTIPLE_KINDS = {"multiple", "multiple answer", "multiple answers", "multiple response", "multiple select", "ma"}
MULTIPLE_KINDS |= {"multi select", "checkbox", "checkboxes", "several"}
# A type that is none of these tells us nothing: a row with options and a key is a choice question, whatever it's
# called.
OTHER_KINDS = re.compile(
    r"order|rank|sort|sequenc|match|fill|blank|essay|short|text|numer|open|drag|cod|hot ?spot|poll|surv"
)
CHOICE = re.compile(r"\b(?:mcq|choice)\b")
APOSTROPHE = "'"
ADDRESS = re.compile(r"https?://\S+$", re.IGNORECASE)
LONGEST_TITLE = 200
"""As the column of a source's title."""


# If all options are in one cell, each may begin with its letter.
LABEL = re.compile(r"\s*\(?([A-Na-n]|\d{1,2})\s*(?:[.):]|->)\s+")
JUDGED = {"true": True, "t": True, "false": False, "f": False}


def item_of_row(columns: Columns, line: int, row: Sequence[str]) -> Found:
    """One row as an item, or why it isn't acceptable."""
    kind = _cell(row, columns.fields.get("kind")) or "question"
    return item_or_reason(line, kind, lambda: _item(columns, line, row))


def _cell(row: Sequence[str], place: int | None) -> str:
    """A cell, without the apostrophe that guards against formulas."""
    text = row[place].replace("\r\n", "\n").strip() if place is not None and place < len(row) else ""
    return text[1:] if text.startswith(APOSTROPHE) and _needs_guard(text[1:]) else text


def _item(columns: Columns, line: int, row: Sequence[str]) -> Item:
    if sum(map(len, row)) > ITEM_CHARACTERS:
        raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")
    cell = {field: _cell(row, columns.fields.get(field)) for field in NAMES}
    if cell["image"]:
        raise CannotTake(NEEDS_MEDIA)
    words = _words(columns, row, cell)
    stated = _kind(cell["kind"], has_options=sum(map(bool, words.values())) > 1)
    texts = Texts()
    right = {columns.right} if columns.right else _right(cell["correct"], words, columns, texts.warnings)
    if stated == SINGLE and len(right) > 1:
        raise CannotTake(f"is a single-answer item but names {len(right)} right options")
    if columns.from_zero:
        texts.warnings.append("the number of the right option was counted from 0")
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
        cited=tuple(_sources(columns, row, texts.warnings)),
        warnings=tuple(texts.warnings),
    )


def _sources(columns: Columns, row: Sequence[str], warnings: list[str]) -> Iterator[Source]:
    """A row's sources. A date not written like 2026-11-28 may be ambiguous and is left out."""
    for parts in columns.sources.values():
        title, url, says, day = (_cell(row, parts.get(part)) for part in SOURCE)
        if not url and ADDRESS.match(title):
            title, url = "", title
        if not ADDRESS.match(url) and (url or title not in ("", OWN_WORK)):
            warnings.append(f"the source “{(url or title)[:60]}” has no web address and was left out")
        elif url or title:
            as_of = _day(day)
            if day and as_of is None:
                warnings.append(f"the day “{day[:20]}” of a source isn’t written as 2026-11-28")
            yield Source(title or url[:LONGEST_TITLE], url, as_of, says)


def _day(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError:
        return None


def _words(columns: Columns, row: Sequence[str], cell: dict[str, str]) -> dict[str, str]:
    """A row's options by label; a true/false statement may have none.

    A blank cell before a filled one keeps its place, or the numbers after it would name other options.
    """
    words = {sign: _cell(row, place) for sign, place in columns.options.items()}
    words = dict(zip(words, _without_last_blanks(list(words.values())), strict=False))
    if not words and cell["options"]:
        words = dict(zip(LETTERS, _split(cell["options"]), strict=False))
    if not words and cell["correct"].strip().lower() in JUDGED:
        words = {"true": "True", "false": "False"}
    return words


def _split(text: str) -> list[str]:
    """The options in one cell, without letters: one per line, else separated by bars, else by semicolons."""
    sign = next((sign for sign in ("\n", "||", "|", ";") if sign in text), ",")
    places = [part.strip() for part in text.split(sign)]
    parts = [part for part in places if part]
    labels = [match.group(1).lower() if (match := LABEL.match(part)) else "" for part in parts]
    if labels in (list(LETTERS[: len(parts)]), [str(n) for n in range(1, len(parts) + 1)]):
        return [LABEL.sub("", part, count=1) for part in parts]
    return parts if sign == "\n" else _without_last_blanks(places)


def _without_last_blanks(texts: list[str]) -> list[str]:
    return texts[: max((place for place, text in enumerate(texts, start=1) if text), default=0)]


def _kind(stated: str, *, has_options: bool) -> str:
    """Our kind; "" if the row doesn't state one. Raises CannotTake for any other kind."""
    name = " ".join(re.findall(r"[a-z]+", stated.lower()))
    if not name or name in SINGLE_KINDS:
        return SINGLE if name and not name.startswith(("m", "quiz")) else ""
    if name in MULTIPLE_KINDS:
        return MULTIPLE
    if not has_options or (OTHER_KINDS.search(name) and not CHOICE.search(name)):
        raise of_other_kind(stated)
    return ""


def _right(stated: str, words: dict[str, str], columns: Columns, warnings: list[str]) -> set[str]:
    """The labels of the right options. Raises CannotTake."""
    if not stated:
        raise CannotTake("names no right option")
    if set(words) == {"true", "false"} and stated.lower() in JUDGED:
        return {str(JUDGED[stated.lower()]).lower()}
    whole = [sign for sign, text in words.items() if text == stated]
    counted = columns.from_zero and re.fullmatch(r"[\d\s,;|]+", stated)
    by_sign = _counted_from_zero(stated, words) if counted else _by_signs(stated, words)
    named_by = columns.numbers_name if stated.isdecimal() else columns.named_by
    if by_sign and whole and set(whole) != by_sign and named_by:
        warnings.append(
            f"“{stated[:40]}” is one option’s label and another’s text; read as a {named_by}, as in other rows"
        )
        return by_sign if named_by == "label" else set(whole)
    if by_sign and whole and set(whole) != by_sign:
        raise CannotTake(f"names “{stated[:40]}” as right, which is the label of one option and the text of another")
    if by_sign or len(whole) == 1:
        return by_sign or set(whole)
    labelled = LABEL.match(stated)
    if labelled:
        sign = _by_signs(labelled.group(1), words)
        if [words[each].strip() for each in sign] == [stated[labelled.end() :].strip()]:
            return sign
    parts = [part.strip() for part in re.split(r"[;|\n]", stated)]
    found = {sign for part in parts for sign, text in words.items() if text == part}
    if len(found) != len(parts):
        raise CannotTake(f"names “{stated[:40]}” as right, which isn’t one of its options")
    return found


def _counted_from_zero(stated: str, words: dict[str, str]) -> set[str]:
    numbers = re.findall(r"\d+", stated)
    if not numbers or not all(int(number) < len(words) for number in numbers):
        raise CannotTake(f"names “{stated[:40]}” as right, which isn’t the number of one of its options, from 0")
    return {list(words)[int(number)] for number in numbers}


def _by_signs(stated: str, words: dict[str, str]) -> set[str]:
    """Options named by their column's label, or by letters or numbers counted in order."""
    bare = re.sub(r"\b(?:(?:options?|answers?|choices?)[ _]*(?=(?:[a-n]|\d{1,2})?\b)|and\b)", " ", stated.lower())
    signs = [part for part in re.split(r"[,;/|&().\s]+", bare) if part]
    if len(signs) == 1 and signs[0].isalpha() and set(signs[0]) <= set(words):
        signs = list(signs[0])  # "AC"
    for known in (list(words), list(LETTERS[: len(words)]), [str(n) for n in range(1, len(words) + 1)]):
        if signs and all(sign in known for sign in signs):
            return {list(words)[known.index(sign)] for sign in signs}
    return set()


def header_of(items: Iterable[Item]) -> list[str]:
    """The first row for these items: as many options and sources as the longest has."""
    letters = LETTERS[: max([2, *(len(item.options) for item in items)])]
    options = [name for letter in letters for name in (f"option {letter}", f"feedback {letter}")]
    most = max([0, *(len(_cited(item)) for item in items)])
    sources = [f"source {number} {part}" for number in range(1, most + 1) for part in SOURCE]
    return ["id", "kind", "title", "question", *options, "correct", "explanation", "tags", "category", *sources]


def row_of(item: Item, header: Sequence[str]) -> list[str]:
    """An item's row under our header. Anything a spreadsheet would take for a formula gets an apostrophe."""
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
    for number, source in enumerate(_cited(item), start=1):
        facts = {"title": source.title, "url": source.url, "says": source.says}
        facts["as of"] = source.as_of.isoformat() if source.as_of else ""
        cells |= {f"source {number} {part}": text for part, text in facts.items()}
    for letter, option in zip(LETTERS, item.options, strict=False):
        cells |= {f"option {letter}": option.text, f"feedback {letter}": option.feedback}
    return [_guarded(cells.get(name, "")) for name in header]


def _cited(item: Item) -> tuple[Source, ...]:
    return item.draft.sources if item.draft else item.cited


def _guarded(text: str) -> str:
    return APOSTROPHE + text if _needs_guard(text) else text


def _needs_guard(text: str) -> bool:
    """Whether a cell needs an apostrophe. One that starts with its own gets another, so that reading only removes
    ours."""
    return is_formula(text) or text.startswith(APOSTROPHE)
