"""Answers listed together below the questions: ``Answers: 1. B 2. C``, one per line, or a table.

A list only counts if each of its lines names a question by number and an option by letter. It applies to the questions
between it and the previous list, so that each chapter may count from 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from questions.formats.rules.plain.below.numbered_options import with_letters
from questions.formats.rules.reading.text_lines import Line

HEADING = re.compile(
    r"[\W_]*(?:(?:correct )?answers?(?:[ -]?(?:keys?|sheet))?|keys?|solutions?)(?: (?:to|for|of) .{1,60})?[\W_]*$",
    re.IGNORECASE,
)
INLINE = re.compile(
    r"[\W_]*(?:(?:correct )?answers?(?:[ -]?keys?)?|keys?|solutions?)[\s*_]*:(?P<pairs>.*\d.*)$", re.IGNORECASE
)
LETTERS = r"[A-Oa-o](?:\s*(?:,|&|\band\b)\s*[A-Oa-o])*|[A-O]{1,5}"
PAIR = re.compile(
    r"(?:q(?:uestion)?\.?\s*)?(?P<number>\d{1,4})[*_]*\s*+(?:[.):=|]|->|[-–—])?[\s*_|]*+"  # noqa: RUF001
    rf"(?:\((?P<closed>{LETTERS})\)|(?P<bare>{LETTERS}))(?![A-Za-z0-9])",
    re.IGNORECASE,
)
GAP = re.compile(r"[\s,;|*_•·-]*")
TOLD = re.compile(r"\s*[.):,;–—|-]+\s*(?P<text>\S.*)$|\s*\((?P<closed>[^()]+)\)\s*$")  # noqa: RUF001
RULED = re.compile(r"\s*\|")
TAGS = re.compile(r"</?(?:details|summary|p|b|strong|h[1-6])[^<>]{0,100}>", re.IGNORECASE)
LEAST = 2  # the answer of a single question is below it anyway


@dataclass
class Key:
    """What a list of answers says: letters and explanation by the number of the question."""

    letters: dict[str, str] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    twice: set[str] = field(default_factory=set)  # numbers that don't say which answer is meant

    def add(self, pairs: list[tuple[str, str]], told: str) -> None:
        for number, letters in pairs:
            if number in self.letters:
                self.twice.add(number)
            self.letters[number] = letters
            if told:
                self.told[number] = told


NO_KEY = Key()


def stretches(lines: Iterable[Line]) -> Iterator[tuple[list[Line], Key]]:
    """The lines above each list of answers, with that list; lines below the last one come with an empty list."""
    rest = with_letters(lines)
    start = place = 0
    while place < len(rest):
        key, end = _list_at(rest, place)
        if key:
            yield rest[start:place], key
            start = place = end
        else:
            place += 1
    if start < len(rest) or not rest:
        yield rest[start:], NO_KEY


def has_list(text: str) -> bool:
    """Whether the text contains a list of answers."""
    return any(key is not NO_KEY for _, key in stretches(enumerate(text.splitlines(), start=1)))


def _list_at(lines: list[Line], place: int) -> tuple[Key | None, int]:
    """The list of answers that begins with this line, and where it ends."""
    head = TAGS.sub("", lines[place][1]).strip()
    inline = INLINE.match(head)
    if not inline and not HEADING.match(head):
        return None, place
    key, end, blank = Key(), place + 1, True
    if inline:
        found = pairs_in(inline.group("pairs"))
        if found is None:
            return None, place
        key.add(*found)
    while end < len(lines):
        text = TAGS.sub("", lines[end][1]).strip()
        found = pairs_in(text)
        if found is not None:
            key.add(*found)
        elif text and (key.letters or not RULED.match(text)) and (blank or not key.letters):
            break
        blank = not text
        end += 1
    return (key, end) if len(key.letters) >= LEAST else (None, place)


def pairs_in(text: str) -> tuple[list[tuple[str, str]], str] | None:
    """The numbers and letters of a line with nothing else in it, and the explanation after a single pair."""
    found: list[tuple[str, str]] = []
    ended = 0
    place = end_of(GAP, text, 0)
    while place < len(text):
        pair = PAIR.match(text, place)
        if pair is None:
            told = TOLD.match(text, ended) if len(found) == 1 else None
            return (found, (told.group("text") or told.group("closed")).strip()) if told else None
        found.append((str(int(pair.group("number"))), (pair.group("closed") or pair.group("bare")).upper()))
        ended = pair.end()
        place = end_of(GAP, text, ended)
    return (found, "") if found else None


def end_of(form: re.Pattern[str], text: str, place: int) -> int:
    match = form.match(text, place)
    return match.end() if match else place


def several(numbers: Iterable[str]) -> set[str]:
    """The numbers that more than one question has."""
    return {number for number, count in Counter(numbers).items() if number and count > 1}


def digits(number: str) -> str:
    """The number in what stands before a question, without leading zeros."""
    found = re.search(r"\d+", number)
    return str(int(found.group())) if found else ""
