"""Other people's quizzes in JSON or YAML: records in lists at any depth, with a question, its options and the key.

Options are texts, texts by letter, or records that may each say whether they are right. The key is given by text,
letter or number; the whole file shows whether numbers count from 0 or 1, and if it doesn't, they are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from questions.catalogue.rules.yaml_fields import BadYaml
from questions.formats.rules.items import (
    MULTIPLE,
    BadFile,
    CannotTake,
    Found,
    Item,
    ItemOption,
    item_or_reason,
    kind_of,
    of_other_kind,
    true_or_false,
)
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.own.own_yaml import parsed
from questions.formats.rules.reading.columns.headers import FIELDS, INDEX, LETTERS, OPTION_COLUMN, plain_name
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.markup.tags import html_in
from questions.formats.rules.reading.pictures import NEEDS_MEDIA
from questions.formats.rules.reading.text_lines import text_of
from questions.formats.rules.tables.tables import CHOICE, LABEL, MULTIPLE_KINDS, OTHER_KINDS

DEPTH = 12
"""Exports nest their questions a few levels deep; the walk is recursive, so a hostile file must not decide its
depth."""
WRONG = re.compile(r"(?:incorrect|wrong|false) (?:answers|options|choices)$|distractors$|(?:incorrect|wrong)$")
SIGNS = ("id", "key", "letter", "label", "option", "option id", "value")
TEXTS = (
    "text",
    "txt",
    "option text",
    "answer text",
    "content",
    "option",
    "answer",
    "choice",
    "value",
    "label",
    "title",
    "body",
)
ASKED, OFFERED = ("q", "content"), "a"
"""Names that only mean a question and its options where both are there and nothing else is named so."""
RIGHT = ("correct", "is correct", "right", "is right", "is answer", "is correct answer")
TOLD = ("feedback", "explanation", "rationale", "reason")
ONE_ANSWER = {"multiple"}  # Open Trivia's word for several options
TRUTHS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
NAMED = re.compile(r"(?:options?|answers?|choices?)[ _]*(?=[A-Na-n]$|\d{1,2}$)", re.IGNORECASE)
SEVERAL = re.compile(r"[A-N](?:(?:\s*[,;&/|]\s*|\s+and\s+)?[A-N])+$")
NOT_A_KEY = "names “{}” as right, which isn’t one of its options"


@dataclass(frozen=True)
class Choice:
    """One option; ``right`` is None if it doesn't say whether it is right."""

    text: str
    sign: str = ""
    right: bool | None = None
    feedback: str = ""


@dataclass(frozen=True)
class Record:
    """A question, with its fields named like a table's columns."""

    facts: dict[str, Any]
    choices: tuple[Choice, ...]
    whole: bool  # whether the right answer is separate from the wrong ones
    by_index: bool = False  # whether its answer's name says that a number is a position


def read(stream: BinaryIO) -> Iterator[Found]:
    """Every record that asks something. Raises BadFile."""
    text = text_of(stream)
    found = list(_records(_data(text), 0))
    start = _start_of_numbers(found)
    place, line = 0, 1
    for record in found:
        at = _place(text, record, place)
        line += text.count("\n", place, at)
        place = at
        kind = str(record.facts.get("kind") or "question")[:40]
        yield item_or_reason(line, kind, lambda line=line, record=record: _item(line, record, start))  # type: ignore[misc]


def _data(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise BadFile("is nested too deeply") from None
    except ValueError as error:
        if text.lstrip()[:1] in ("{", "["):
            raise BadFile(f"is not readable JSON: {error}") from None
    try:
        return parsed(text)[0]
    except BadYaml as error:
        raise BadFile(f"is not readable YAML: {error.reason} (line {error.line})") from error


def _place(text: str, record: Record, place: int) -> int:
    """The position of a record's question in the text, searched from the previous one's, which is returned if it isn't
    found."""
    words = str(record.facts.get("stem", "")).strip().split("\n")[0][:40]
    written = (words, json.dumps(words)[1:-1])
    return max(place, *(text.find(each, place) for each in written if each), place)


def _records(data: Any, depth: int) -> Iterator[Record]:
    if depth > DEPTH:
        return
    if isinstance(data, list):
        for each in data:
            yield from _records(each, depth + 1)
    elif isinstance(data, dict):
        record = _record(data)
        if record:
            yield record
            return
        for each in data.values():
            yield from _records(each, depth + 1)


def _record(row: dict[Any, Any]) -> Record | None:
    """The question in a record; None if it asks nothing."""
    named = {plain_name(str(name)): value for name, value in row.items()}
    facts: dict[str, Any] = {}
    for name, value in named.items():
        if name in FIELDS and value not in (None, "", []):
            facts.setdefault(FIELDS[name], value)
    _supplement(facts, named)
    wrong = next((value for name, value in named.items() if WRONG.match(name) and isinstance(value, list)), None)
    lettered = {name: value for name, value in named.items() if OPTION_COLUMN.match(name) and isinstance(value, str)}
    if not isinstance(facts.get("stem"), str):
        return None
    if wrong is not None and "correct" in facts:
        right = facts["correct"] if isinstance(facts["correct"], list) else [facts["correct"]]
        apart = [
            *(Choice(_words(each), right=True) for each in right),
            *(Choice(_words(v), right=False) for v in wrong),
        ]
        return Record(facts, tuple(apart), whole=True)
    if isinstance(facts.get("options"), list | dict):
        return Record(facts, tuple(_choices(facts["options"])), whole=False, by_index=_by_index(named))
    if len(lettered) > 1 and "correct" in facts:
        signs = [OPTION_COLUMN.match(name) for name in lettered]
        pairs = zip(signs, lettered.values(), strict=True)
        return Record(facts, tuple(Choice(text, sign.group(1)) for sign, text in pairs if sign), whole=False)
    return Record(facts, (), whole=False) if isinstance(facts.get("correct"), bool) else None


def _by_index(named: dict[str, Any]) -> bool:
    """Whether the only answer of a record is named as a position."""
    stated = [name for name, value in named.items() if FIELDS.get(name) == "correct" and value not in (None, "", [])]
    return len(stated) == 1 and stated[0] in INDEX


def _supplement(facts: dict[str, Any], named: dict[str, Any]) -> None:
    """Add what a record has under a short or general name, and take a key out of a record with nothing else."""
    if "options" not in facts and isinstance(named.get(OFFERED), list) and isinstance(named.get(ASKED[0]), str):
        facts["options"] = named[OFFERED]
    asked = next((named[name] for name in ASKED if isinstance(named.get(name), str) and named[name]), "")
    if "stem" not in facts and asked and isinstance(facts.get("options"), list):
        facts["stem"] = asked
    stated = facts.get("correct")
    if isinstance(stated, dict) and len(stated) == 1:
        facts["correct"] = next(iter(stated.values()))
    elif isinstance(stated, str) and stated == named.get("solution") and _marks_itself(facts.get("options")):
        facts.setdefault("explanation", facts.pop("correct"))


def _marks_itself(options: Any) -> bool:
    """Whether the options themselves mark which are right, so that a solution in words needn't."""
    return isinstance(options, list) and any(_choice(each).right for each in options if isinstance(each, dict))


def _choices(options: list[Any] | dict[Any, Any]) -> Iterator[Choice]:
    if isinstance(options, dict):
        for sign, value in options.items():
            yield _choice(value) if isinstance(value, dict) else Choice(_words(value), str(sign))
        return
    texts = [_words(each) for each in options]
    labels = [match.group(1).lower() if (match := LABEL.match(text)) else "" for text in texts]
    if labels and labels == list(LETTERS[: len(labels)]):
        yield from (Choice(LABEL.sub("", text, count=1), sign) for text, sign in zip(texts, labels, strict=True))
        return
    for each in options:
        yield _choice(each) if isinstance(each, dict) else Choice(_words(each))


def _choice(row: dict[Any, Any]) -> Choice:
    named = {plain_name(str(name)): value for name, value in row.items()}
    if len(named) == 1 and isinstance(text := next(iter(named.values())), str) and next(iter(named)) in RIGHT:
        return Choice(_words(text), right=True)  # the option stands under the word for right
    text_name = next((name for name in TEXTS if isinstance(named.get(name), str | int | float)), "")
    sign = next((named[name] for name in SIGNS if name != text_name and isinstance(named.get(name), str | int)), "")
    stated = next((named[name] for name in RIGHT if name in named and name != text_name), None)
    told = next((named[name] for name in TOLD if isinstance(named.get(name), str)), "")
    return Choice(_words(named.get(text_name, "")), str(sign), TRUTHS.get(str(stated).lower()), told)


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return str(value)
    return str(value).strip() if isinstance(value, str | int | float) else ""


def _start_of_numbers(records: Sequence[Record]) -> int | None:
    """Whether the numbers of right options count from 0 or 1; None if no record of the file shows it."""
    counted = [(number, len(each.choices)) for each in records for number in _numbers(each)]
    if any(number == 0 for number, _ in counted):
        return 0
    return 1 if any(number == options for number, options in counted) else None


def _numbers(record: Record) -> Iterator[int]:
    """The numbers in a record's answer that are positions, or neither the label nor the text of an option."""
    texts = set() if record.by_index else {choice.text for choice in record.choices}
    known = {choice.sign for choice in record.choices} | texts
    for stated in _stated(record):
        if isinstance(stated, int) and not isinstance(stated, bool) and str(stated) not in known and not record.whole:
            yield stated


def _stated(record: Record) -> list[Any]:
    stated = record.facts.get("correct")
    return stated if isinstance(stated, list) else [] if stated is None else [stated]


def _item(line: int, record: Record, start: int | None) -> Item:
    facts, texts = record.facts, Texts()
    if len(json.dumps(facts, default=str)) > ITEM_CHARACTERS:
        raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")
    stated = " ".join(re.findall(r"[a-z]+", str(facts.get("kind", "")).lower()))
    if OTHER_KINDS.search(stated) and not CHOICE.search(stated):
        raise of_other_kind(str(facts["kind"]))
    if facts.get("image"):
        raise CannotTake(NEEDS_MEDIA)
    options = tuple(_options(record, start, texts))
    right = sum(option.right for option in options)
    if right > 1 and right == len(options):
        raise CannotTake("names every option as right")
    several = stated in MULTIPLE_KINDS - ONE_ANSWER
    tags = facts.get("tags", [])
    return Item(
        line=line,
        id=_words(facts.get("id")),
        kind=MULTIPLE if several else kind_of(right),
        stem=_text(facts["stem"], texts),
        options=options,
        title=" ".join(_words(facts.get("title")).split()),
        explanation=_text(_words(facts.get("explanation")), texts, needed=False),
        tags=tuple(filter(None, map(_words, tags if isinstance(tags, list) else str(tags).split(",")))),
        category=_words(facts.get("category")),
        warnings=(*_counted(record, start), *texts.warnings),
    )


def _counted(record: Record, start: int | None) -> Iterable[str]:
    return [f"the number of the right option was counted from {start}"] if any(_numbers(record)) or start == 0 else []


def _text(source: str, texts: Texts, *, needed: bool = True) -> str:
    return texts.html(source, needed=needed) if html_in(source) else texts.markdown(source, needed=needed)


def _options(record: Record, start: int | None, texts: Texts) -> Iterator[ItemOption]:
    if not record.choices and isinstance(record.facts.get("correct"), bool):
        yield from true_or_false(record.facts["correct"])
        return
    right = _right(record, start)
    for place, choice in enumerate(record.choices):
        told = _text(choice.feedback, texts, needed=False)
        yield ItemOption(_text(choice.text, texts), place in right, told)


def _right(record: Record, start: int | None) -> set[int]:
    """The positions of the right options. Raises CannotTake if the record names none, or is ambiguous."""
    marked = {place for place, choice in enumerate(record.choices) if choice.right}
    if record.whole:
        return marked
    named = [_named(stated, record, start) for stated in _stated(record)]
    if not named and not marked:
        raise CannotTake("names no right option")
    found = set().union(*named)
    if marked and named and marked != found:
        raise CannotTake("marks other options as right than its answer names")
    return found or marked


def _named(stated: Any, record: Record, start: int | None) -> set[int]:
    """The position of the option that one answer means. Raises CannotTake if it could mean none or several."""
    words, choices = _words(stated), record.choices
    texts, signs = [choice.text for choice in choices], [choice.sign.casefold() for choice in choices]
    readings = {frozenset(place for place, sign in enumerate(signs) if sign and sign == words.casefold())}
    if not (record.by_index and isinstance(stated, int)):
        readings.add(frozenset(place for place, text in enumerate(texts) if text == words))
    if isinstance(stated, int) and not isinstance(stated, bool) and str(stated) not in signs:
        readings.add(_numbered(stated, len(choices), start))
    if isinstance(stated, str):
        readings.add(_lettered(words, signs))
        readings.add(_labelled(words, texts, signs))
    meant = {reading for reading in readings if reading}
    if len(meant) != 1:
        raise CannotTake(
            NOT_A_KEY.format(words[:40]) if not meant else f"names “{words[:40]}”, which can mean two options"
        )
    return set(meant.pop())


def _numbered(number: int, options: int, start: int | None) -> frozenset[int]:
    if start is None:
        raise CannotTake("numbers its right option, and no question in the file shows whether from 0 or from 1")
    return frozenset({number - start}) if 0 <= number - start < options else frozenset()


def _lettered(words: str, signs: list[str]) -> frozenset[int]:
    """Options named by letter; if they have no labels, the letters follow the list's order."""
    bare = NAMED.sub("", words)
    letters = [bare] if re.fullmatch("[A-Na-n]", bare) else re.findall("[A-N]", bare) if SEVERAL.match(bare) else []
    known = signs if any(signs) else list(LETTERS[: len(signs)])
    places = [known.index(letter.lower()) for letter in letters if letter.lower() in known]
    return frozenset(places) if len(places) == len(letters) else frozenset()


def _labelled(words: str, texts: list[str], signs: list[str]) -> frozenset[int]:
    """An option named by its letter and its words together."""
    label = LABEL.match(words)
    if label is None:
        return frozenset()
    place = next(iter(_lettered(label.group(1), signs)), None)
    return frozenset({place}) if place is not None and texts[place] == words[label.end() :].strip() else frozenset()
