"""Questions in Markdown with task lists: a text, then ``- [ ]`` for the wrong options and ``- [x]`` for the right ones.

A heading or a rule starts a new question. A heading is the question itself if nothing else is asked under it, or if it
is numbered or ends in ``?`` or ``:``; otherwise it is the title. Headings above name the category. An indented ``>``
under an option is its feedback; what follows the options is the explanation, even if it is indented like them. If there
is neither heading nor rule between two questions, quoted lines (``>``) belong to the first, other text to the second. A
question with lettered options is read as in marked_lists.py, so that it isn't lost among the others.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from questions.formats.rules.items import CannotTake, Found, Item, ItemOption, Skipped, item_or_reason, kind_of
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.plain import marked_lists
from questions.formats.rules.plain.lists.blocks import LETTERED
from questions.formats.rules.plain.lists.fences import IN_CODE, OPTION, with_code
from questions.formats.rules.plain.quizdown import HINT, unwrapped
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.text_lines import Line

OPTION_LINE = re.compile(OPTION.pattern, re.MULTILINE)
HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)(?:\s+#*)?$")
RULE = re.compile(r" {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
UNDERLINE = re.compile(r" {0,3}(?:-+|=+)$")
# Pandoc does the numbering itself where a number is "#.".
NUMBER = re.compile(r"\s*(?:(?:q(?:uestion)?\.?\s*)?\d{1,4}\s*[.):]|#\.)\s+", re.IGNORECASE)
ONLY_NUMBER = re.compile(r"(?:q(?:uestion)?\.?\s*)?#?\d{1,4}[.):]?$", re.IGNORECASE)
INDENTED = re.compile(r" {2}| ?\t")
LIST_START = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
COMMENT = re.compile(r"\s*<!--(?:(?!-->).)*-->\s*$")
QUOTE = re.compile(r"\s*> ?")
WAY_BACK = re.compile(r"\W*\[[^\]]*\]\(#[^)]*\)\W*$")
# A heading that refers to what is quoted below it; the quotation is then not a hint.
POINTS = re.compile(
    r"\b(?:this|these|that|following|below|above|quot\w+|text|passage|poem|sentence|statement|code|say|says|said|mean|means)\b"
    r"|:$",
    re.IGNORECASE,
)
CALLED = re.compile(r"(?:\*\*)?(?:explanation|rationale)\s*:(?:\*\*)?\s*", re.IGNORECASE)


@dataclass
class Choice:
    """One option: its lines and the quoted lines under it."""

    right: bool
    lines: list[str]
    feedback: list[str] = field(default_factory=list)
    indent: int = 0


@dataclass
class Block:
    """The lines between two headings or rules, or one question of them."""

    line: int = 1
    heading: str = ""
    category: str = ""
    before: list[Line] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    after: list[Line] = field(default_factory=list)
    told: bool = False  # whether text, not only blank lines, follows the options
    size: int = 0
    shown: dict[bool, int] = field(default_factory=dict)  # the first right and the first wrong option in code

    def add(self, line: Line, *, code: bool) -> None:
        """Add a line that is neither an option nor the start of a new block."""
        number, text = line
        if code and (option := OPTION.match(text)):
            self.shown.setdefault(option.group(1) in ("x", "X"), number)
        if self.choices and not self.told and (code or self._continues(text)):
            self._close_gap()
            quoted = None if code else QUOTE.match(text)
            choice = self.choices[-1]
            (choice.feedback if quoted else choice.lines).append(text[quoted.end() :] if quoted else text)
        elif self.choices:
            self.after.append(line)
            self.told = self.told or bool(text.strip())
        elif self.before or text.strip():
            self.line = self.line if self.before or self.heading else number
            self.before.append(line)

    @property
    def is_lettered(self) -> bool:
        """Whether it has lettered options where a task list's would be."""
        return sum(bool(LETTERED.match(text.lstrip())) for _, text in self.before) > 1

    def _continues(self, text: str) -> bool:
        """Whether an indented line belongs to the last option; after a blank line, only one indented further than the
        option."""
        return bool(INDENTED.match(text)) and (not self.after or _indent(text) > self.choices[-1].indent)

    def _close_gap(self) -> None:
        """Blank lines inside an option belong to it."""
        self.choices[-1].lines += [text for _, text in self.after]
        self.after, self.told = [], False

    def next(self) -> Block | None:
        """The question started by another option, if there is text after this one's options."""
        if not any(not text.strip() or _begins(text) for _, text in self.after) or not self.told:
            if self.choices:
                self._close_gap()  # an option of several lines
            return None
        start = next((place for place, line in enumerate(self.after) if NUMBER.match(line[1])), None)
        if start is None:
            asked = [p for p, line in enumerate(self.after) if line[1].strip() and not QUOTE.match(line[1])]
            at_margin = (p for p in asked if not INDENTED.match(self.after[p][1]))
            start = next(at_margin, next(iter(asked), None))
        if start is None:  # quoted lines between two options belong to the first
            self.choices[-1].feedback += [QUOTE.sub("", text) for _, text in self.after]
            self.after, self.told = [], False
            return None
        before, self.after = self.after[start:], self.after[:start]
        category = "/".join(filter(None, (self.category, self.heading)))
        return Block(before[0][0], category=category, before=before)


def _indent(text: str) -> int:
    text = text.expandtabs(4)
    return len(text) - len(text.lstrip())


def _begins(text: str) -> bool:
    return bool(LIST_START.match(text) or NUMBER.match(text) or QUOTE.match(text))


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every question of a file; headings and text without options are skipped."""
    others: list[Skipped] = []
    for block in blocks(unwrapped(lines, others)):
        if len(block.shown) > 1:
            yield Skipped(block.line, "question", IN_CODE)
        elif not block.choices and block.is_lettered:
            yield from marked_lists.read(_with_heading(block))
        elif block.choices or block.heading.endswith("?"):
            yield item_or_reason(block.line, "question", lambda block=block: _item(block))  # type: ignore[misc]
    yield from others


def _with_heading(block: Block) -> Iterator[Line]:
    """The lines of a question whose heading may be the question itself."""
    if block.heading and not ONLY_NUMBER.match(block.heading):
        yield block.line, block.heading
    yield from block.before


def blocks(lines: Iterable[Line]) -> Iterator[Block]:
    """The file, split at headings, rules and between questions. A question's heading isn't a category."""
    block, headings = Block(), dict[int, str]()
    level = 0
    for number, text, code in with_code(lines):
        if not code and COMMENT.match(text):
            continue
        block.size += len(text) + 1
        if not code and (heading := HEADING.match(text)):
            yield block
            headings |= {} if block.choices or not block.heading else {level: block.heading}
            level = len(heading.group(1))
            headings = {at: name for at, name in headings.items() if at < level}
            block = Block(number, heading.group(2).strip(), "/".join(headings.values()))
        elif not code and RULE.match(text) and not _is_underline(block, text):
            yield block
            headings |= {} if block.choices or not block.heading else {level: block.heading}
            block = Block(number + 1, category="/".join(headings.values()))
        elif not code and NUMBER.match(text) and not INDENTED.match(text) and not block.choices and block.is_lettered:
            yield block
            block = Block(number, category=block.category, before=[(number, text)])
        elif not code and (option := OPTION.match(text)):
            following = block.next()
            if following:
                yield block
                block = following
            if block.size <= ITEM_CHARACTERS:
                is_right = option.group(1) in ("x", "X")
                block.choices.append(Choice(is_right, [option.group(2)], indent=_indent(text)))
        elif block.size <= ITEM_CHARACTERS and not _is_underline(block, text):
            block.add((number, text), code=code)
    yield block


def _is_underline(block: Block, text: str) -> bool:
    """Whether the line just underlines the previous one as a heading."""
    is_last = bool(block.before) and bool(block.before[-1][1].strip()) and not block.choices
    return is_last and bool(UNDERLINE.match(text))


def _item(block: Block) -> Item:
    if block.size > ITEM_CHARACTERS:
        raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")
    texts = Texts()
    hints = _hints(block, texts)
    title, stem = _asked(block)
    told = [QUOTE.sub("", text) for _, text in block.after if not WAY_BACK.match(text)]
    told = [*hints, "", *told] if hints else told
    return Item(
        line=block.line,
        id="",
        kind=kind_of(sum(choice.right for choice in block.choices)),
        stem=texts.markdown(stem),
        options=tuple(
            ItemOption(
                texts.markdown(_dedented(choice.lines)),
                choice.right,
                texts.markdown("\n".join(choice.feedback), needed=False),
            )
            for choice in block.choices
        ),
        title=title,
        explanation=texts.markdown(CALLED.sub("", textwrap.dedent("\n".join(told)).strip(), count=1), needed=False),
        category=block.category,
        warnings=tuple(texts.warnings),
    )


def _hints(block: Block, texts: Texts) -> list[str]:
    """Take out quoted lines before the options if they're a hint: they say so, or the heading is the whole question."""
    texts_before = [text for _, text in block.before]
    end = len("\n".join(texts_before).rstrip().split("\n")) if any(map(str.strip, texts_before)) else 0
    start = end
    while start and QUOTE.match(texts_before[start - 1]):
        start -= 1
    rest = any(text.strip() for text in texts_before[:start])
    asks = block.heading.endswith(("?", "!")) and not POINTS.search(block.heading) and not rest
    if start == end or not (HINT.match(texts_before[start]) or asks):
        return []
    if not HINT.match(texts_before[start]):
        texts.warnings.append("a quoted line before the options was taken for a hint")
    del block.before[start:]
    return [QUOTE.sub("", text) for text in texts_before[start:end]]


def _asked(block: Block) -> tuple[str, str]:
    text = _dedented([text for _, text in block.before])
    text = NUMBER.sub("", text, count=1) if NUMBER.match(text) else text
    heading = block.heading
    if ONLY_NUMBER.match(heading):
        return "", text
    prose = re.sub(r"^(```+|~~~+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL).strip()
    if heading and (not prose or heading.endswith(("?", ":")) or NUMBER.match(heading)):
        asked = NUMBER.sub("", heading, count=1) if NUMBER.match(heading) else heading
        return "", f"{asked}\n\n{text}".strip()
    return heading, text


def _dedented(lines: list[str]) -> str:
    """The lines without a list's indentation: the first follows its marker."""
    first, rest = lines[:1], textwrap.dedent("\n".join(lines[1:]))
    return "\n".join([*first, rest]).strip()
