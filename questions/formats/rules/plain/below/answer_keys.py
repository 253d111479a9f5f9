"""Answers listed together below the questions: ``Answers: 1. B 2. C``, one per line, or a table.

A list's lines name a question by number and an option by letter. What stands between them is the name of a section or
explains the answer above, and an answer that isn't a letter counts on from the one above; any other line ends the list.
It applies to the questions between it and the previous list, so that each chapter may count from 1. If its sections
count from 1 again, they apply to the sections of the same names above.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from questions.formats.rules.plain.below.numbered_options import with_letters
from questions.formats.rules.reading.text_lines import Line

HEADING = re.compile(
    r"[\W_]*(?:(?:correct )?answers?(?:[ -]?(?:keys?|sheet))?|keys?|solutions?)(?: (?:to|for|of) .{1,60})?[\W_]*$"
    r"|[\W_]*(?:.{1,60} )?answer[ -]?(?:key|sheet)(?:\s*[-:\u2013\u2014]\s*.{1,60}|[\W_]*)$",
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
RULE = re.compile(r"[-=*_]{3,}$")
NUMBERED = re.compile(r"(?:q(?:uestion)?\.?\s*)?(?P<number>\d{1,4})(?:[.):]|\s)", re.IGNORECASE)
OPTION = re.compile(r"\(?[A-Oa-o][.)]\s")
RANGE = re.compile(r"\(?(?:questions?|q|nos?\.?)?\s*\d{1,4}\s*[-\u2013\u2014]\s*\d{1,4}\)?\W*$", re.IGNORECASE)
SENTENCE = re.compile(r"[.!?][\s*_]*$")
LEAST = 2  # the answer of a single question is below it anyway
NAME = 80
"""The most characters in the name of a section."""
BETWEEN = 30
"""The most lines between two lines with answers."""


@dataclass
class Key:
    """What a list of answers says: letters and explanation by the number of the question."""

    section: str = ""
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

    def tell(self, text: str) -> None:
        """Add a line to the explanation of the last answer."""
        number = next(reversed(self.letters), "")
        self.told[number] = f"{self.told.get(number, '')}\n{text}".strip()


NO_KEY = Key()


def stretches(lines: Iterable[Line]) -> Iterator[tuple[list[Line], Key]]:
    """The lines above each list of answers, with that list; lines below the last one come with an empty list."""
    rest = with_letters(lines)
    start = place = 0
    while place < len(rest):
        found = _list_at(rest, place)
        if found:
            yield from _by_section(rest[start:place], found.sections)
            start = place = found.end
        else:
            place += 1
    if start < len(rest) or not rest:
        yield rest[start:], NO_KEY


def has_list(text: str) -> bool:
    """Whether the text contains a list of answers."""
    return any(key.letters for _, key in stretches(enumerate(text.splitlines(), start=1)))


def _by_section(lines: list[Line], sections: list[Key]) -> Iterator[tuple[list[Line], Key]]:
    """The lines with their answers: those of each section of the same name, or else all of them together."""
    known = {section.section for section in sections}
    places = [(place, name) for place, (_, text) in enumerate(lines) if (name := _section_name(text)) in known]
    if len(sections) > 1 and "" not in known and [name for _, name in places] == [each.section for each in sections]:
        starts = [place for place, _ in places]
        yield lines[: starts[0]], NO_KEY
        for section, start, end in zip(sections, starts, [*starts[1:], len(lines)], strict=True):
            yield lines[start:end], section
        return
    whole = Key()
    for section in sections:
        for number, letters in section.letters.items():
            whole.add([(number, letters)], section.told.get(number, ""))
        whole.twice |= section.twice
    yield lines, whole


def _section_name(text: str) -> str:
    return " ".join(re.findall(r"\w+", RANGE.sub("", text.strip()[: 2 * NAME]).casefold()))


@dataclass
class _List:
    """The list of answers that may begin at a line, read up to its end."""

    lines: list[Line]
    end: int
    sections: list[Key] = field(default_factory=lambda: [Key()])

    @property
    def count(self) -> int:
        return sum(len(each.letters) for each in self.sections)

    def text(self, place: int) -> str:
        return TAGS.sub("", self.lines[place][1]).strip() if place < len(self.lines) else ""

    def read(self) -> None:
        """Read answers and what stands between them, up to a line that is neither."""
        blank, last = True, 0
        while self.end < len(self.lines):
            text = self.text(self.end)
            found = pairs_in(text)
            counted = NUMBERED.match(text)
            if found is not None:
                self.sections[-1].add(*found)
                last = int(found[0][-1][0])
            elif last and counted and int(counted.group("number")) == last + 1 and self._goes_on(last + 1):
                last += 1
            elif HEADING.match(text) or self._asks(text) or not self._may_stand(text, blank=blank):
                break
            blank = not text
            self.end += 1

    def _may_stand(self, text: str, *, blank: bool) -> bool:
        """Whether a line without an answer belongs to the list. If so, take what it says."""
        begun = bool(self.sections[-1].letters)
        if not text or RULE.match(text) or (not begun and RULED.match(text)):
            return True
        if begun and not blank:
            if not RULED.match(text):
                self.sections[-1].tell(text)
            return True
        if not self._answers_follow():
            return False
        if begun and (len(text) > NAME or SENTENCE.search(text)):
            self.sections[-1].tell(text)
        elif begun:
            self.sections.append(Key(_section_name(text)))
        else:
            self.sections[-1].section = _section_name(text)
        return True

    def _asks(self, text: str) -> bool:
        """Whether a numbered line is a question, which has its options below."""
        return NUMBERED.match(text) is not None and OPTION.match(self._next()) is not None

    def _next(self) -> str:
        """The next line that isn't blank."""
        place = self.end + 1
        while place < len(self.lines) and not self.text(place):
            place += 1
        return self.text(place)

    def _answers_follow(self) -> bool:
        """Whether answers follow what stands here, before an option or a question."""
        seen = 0
        for place in range(self.end + 1, len(self.lines)):
            text = self.text(place)
            if pairs_in(text) is not None:
                return True
            seen += bool(text)
            if seen > BETWEEN or OPTION.match(text) or NUMBERED.match(text) or HEADING.match(text):
                return False
        return False

    def _goes_on(self, number: int) -> bool:
        """Whether an answer that isn't a letter is followed by the next answer, or by nothing."""
        text = self._next()
        counted = NUMBERED.match(text)
        return not text or pairs_in(text) is not None or bool(counted and int(counted.group("number")) == number + 1)


def _list_at(lines: list[Line], place: int) -> _List | None:
    """The list of answers that begins with this line."""
    head = TAGS.sub("", lines[place][1]).strip()
    inline = INLINE.match(head)
    found = _List(lines, place + 1)
    if inline:
        pairs = pairs_in(inline.group("pairs"))
        if pairs is None:
            return None
        found.sections[-1].add(*pairs)
    elif not HEADING.match(head):
        return None
    found.read()
    return found if found.count >= LEAST else None


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
