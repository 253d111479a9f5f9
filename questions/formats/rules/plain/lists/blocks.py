"""The lines of a marked list (marked_lists.py), told apart by kind, and split where a question starts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.plain.below.answer_keys import digits
from questions.formats.rules.plain.lists.fences import with_code
from questions.formats.rules.reading.text_lines import Line

LETTERED = re.compile(r"\s{0,3}(?:- )?(?P<mark>[*!+]?) ?\(?(?P<letter>[A-Oa-o])(?:[.)]|\)\.)\s+(?P<text>\S.*)$")
INDENTED_FIRST = re.compile(r"(?: {4,12}|\t{1,3})(?:- )?[*!+]? ?\(?[Aa][.)]\s+\S")
BOX = re.compile(r"\s{0,3}\[(?P<mark>[*xX ]?)\](?P<letter>)\s+(?P<text>\S.*)$")
CIRCLE = re.compile(r"\s{0,3}\((?P<mark>[*xX ]?)\)(?P<letter>)\s+(?P<text>\S.*)$")
DASH = re.compile(r"(?P<mark>[!+-])(?P<letter>)(?:\s+(?P<text>\S.*))?$")
NUMBER = re.compile(
    r"(?:#{1,6}\s+)?(?:(?P<bold>\*\*)?(?:(?:q(?:uestion)?\s?)?\d{1,4}\s?[.):]|Q\.)\s+(?=\S)"
    r"|\*\*(?:q(?:uestion)?\s?)?\d{1,4}\s?[.):]?\*\*[.):]?\s+(?=\S))",
    re.IGNORECASE,
)
# A heading that is only a number; the question is below it.
COUNTED = re.compile(r"(?:#{1,6}\s+)?(?:\*\*)?q(?:uestion)?\s?#?\s?\d{1,4}\s?[.):]?(?:\*\*)?[.):]?\s*$", re.IGNORECASE)
# A heading that is only an id; the question is below it, up to the next such heading.
NAMED = re.compile(r"#{1,6}\s+(?:question\s+)?id\s*[:#]\s*(?P<id>[\w.-]{1,60})\s*$", re.IGNORECASE)
# A heading over a question's answer.
OVER_ANSWER = re.compile(r"#{1,6}\s.{0,80}\b(?:answer|solution|explanation|rationale)\W*$", re.IGNORECASE)
FACT = re.compile(r"(title|points|type|category|tags?|id)\s*:\s*(.*)$", re.IGNORECASE)
# text2qti's settings for a quiz, a group or a text between questions.
SETTING = re.compile(
    r"(?:quiz (?:title|description)|shuffle answers|show correct answers|one question at a time|can't go back"
    r"|feedback is solution|solutions (?:sample|randomize) groups|text title|text)\s*:"
    r"|(?:pick|points per question)\s*:\s*\d"
    r"|(?:END_)?GROUP\s*$",
    re.IGNORECASE,
)
ANSWER = re.compile(
    r"\W*(?:correct )?(?:answers?|ans)\W*[:=]\W*"
    r"(?P<letters>(?-i:[A-O]{2,6})|[a-z](?:\s*(?:[,;&]|\band\b)\s*[a-z]\b|\s+[a-z]\b)*)\W*$",
    re.IGNORECASE,
)
# The same, with the option's words after its letter, with an explanation, or with the words alone.
WORDED = re.compile(
    r"\W*(?:correct )?(?:answers?|ans)\W*?[:=][\s*_]*"
    r"(?:\(?(?P<letter>[a-o])(?:\*\*)?(?:[.):]|\s[-–—]\s|\s*,\s*(?=because)|\s+(?=(?:rationale|explanation)\b))[*_]*\s*)?"  # noqa: RUF001
    r"(?P<words>\S.*)$",
    re.IGNORECASE,
)
TOLD = re.compile(
    r"\W*(?:explanation|(?:general )?feedback|rationale|solution)\s*:\W*|\W*(?:explanation|rationale)\W*$",
    re.IGNORECASE,
)
FOLD = re.compile(r"\s*(?:</?details\b[^<>]{0,100}>|<summary\b[^<>]{0,100}>.{0,100}</summary>)\s*$", re.IGNORECASE)
FEEDBACK = re.compile(r"\.\.\.\s+|[~@]\s+")
NOTE = re.compile(r"[+!-]\s+")
OTHER_KINDS = (
    (re.compile(r"_{3,}\s*$"), "essay"),
    (re.compile(r"\^{3,}\s*$"), "file upload"),
    (re.compile(r"=\s+\S"), "numerical"),
    (re.compile(r"\*\s+\S"), "fill-in"),
    (re.compile(r"@gap\s"), "gap match"),
)
LETTERS = (LETTERED, BOX, CIRCLE)
BLANK = "\0"  # used in place of the words of a row that has none
RIGHT = frozenset("*!+xX")


@dataclass
class Block:
    """The lines of one question, and its settings before it."""

    line: int = 0
    numbered: bool = False  # or named by an id
    named: bool = False
    number: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    lines: list[tuple[str, bool]] = field(default_factory=list)  # each line, and whether it is code
    size: int = 0
    margin: int = 0  # how far the options are indented, if beyond what their form allows

    def at_margin(self, text: str) -> str:
        """The line without this question's option indentation."""
        indent = len(text) - len(text.lstrip())
        if not self.margin and self.lines and INDENTED_FIRST.match(text) and not self.has_options:
            self.margin = indent
        return text[self.margin :] if indent >= self.margin else text

    @property
    def has_options(self) -> bool:
        return any(not code and option_in(text) for text, code in self.lines)

    @property
    def shows_options(self) -> bool:
        """Whether right and wrong options stand in its code."""
        return (
            len({found["mark"] in RIGHT - {""} for t, code in self.lines if code and (found := LETTERED.match(t))}) > 1
        )


def option_in(text: str) -> re.Match[str] | None:
    return next(filter(None, (form.match(text) for form in LETTERS)), None)


def blocks(lines: Iterable[Line]) -> Iterator[Block]:
    """The file, split where a question starts: at a number, a title, a setting, and a paragraph after options."""
    block, blank = Block(), False
    for number, text, code in with_code(_without_comments(lines)):
        starts = not code and _starts(block, text, blank=blank)
        blank = not code and not text.strip()
        if starts:
            yield block
            block = Block()
        if not code and (fact := FACT.match(text)) and not block.lines:
            block.facts[fact.group(1).lower()] = fact.group(2).strip()
        elif not code and (named := NAMED.match(text)):
            block.line, block.numbered, block.named = number, True, True
            block.facts["id"] = named["id"]
        elif not code and SETTING.match(text):
            block.facts = {}
        elif text.strip() or block.lines:
            block.line = block.line or number
            if not block.lines and not code and (begun := NUMBER.match(text) or COUNTED.match(text)):
                block.numbered, block.number = True, digits(begun.group())
            block.size += len(text)
            if block.size <= ITEM_CHARACTERS:
                block.lines.append((text if code else block.at_margin(text), code))
    yield block


def _without_comments(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines without text2qti's comments."""
    inside = False
    for number, text in lines:
        inside = inside or text.strip() == "COMMENT"
        if not inside and not text.startswith("%"):
            yield number, text
        inside = inside and text.strip() != "END_COMMENT"


def _starts(block: Block, text: str, *, blank: bool) -> bool:
    if not block.lines:
        return block.named and NAMED.match(text) is not None
    if block.named:
        return NAMED.match(text) is not None
    if NAMED.match(text) or NUMBER.match(text) or COUNTED.match(text) or SETTING.match(text) or FACT.match(text):
        return True
    ends = block.has_options or dashes_in(block)
    is_new = bool(text.strip()) and not text.startswith((" ", "\t")) and not _belongs(text)
    return blank and is_new and (bool(ends) or not block.numbered)


def _belongs(text: str) -> bool:
    """Whether a line can only be a part of the question before it."""
    if option_in(f"{text} {BLANK}"):
        return True
    forms = (DASH, ANSWER, WORDED, TOLD, FEEDBACK, FOLD, *(form for form, _ in OTHER_KINDS))
    return any(form.match(text) for form in forms)


def dashes_in(block: Block) -> list[re.Match[str]]:
    """The dashes and marks of a list without letters; none if it has no right or no wrong one."""
    found = [match for text, code in block.lines if not code and (match := DASH.match(text))]
    marks = {match.group("mark") == "-" for match in found}
    return found if marks == {True, False} else []
