"""The rules for a study module's text. A refusal stops its file; a warning is reported."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping

from courseiva.common.texts.formulas.dollars import without_formulas
from questions.lint.rules import WARN
from questions.lint.rules.prose import broken_formulas
from questions.modules.rules.text import (
    CARDS,
    CHECK,
    CLOSING,
    ECOSYSTEM,
    INSIDE,
    SECTION,
    TEXT,
    Block,
    Fault,
    codes,
    prose_lines,
)
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.text_caps import EDITORS, pathology

WORDS = (1_800, 3_000)
COUNTS = {  # minimum and maximum of each kind
    CARDS: (1, 1),
    SECTION: (6, 9),
    "tip": (2, 9),
    "pitfall": (2, 9),
    "performance": (1, 9),
    "decision": (1, 9),
    CHECK: (3, 5),
    **dict.fromkeys(CLOSING, (1, 1)),
}
HEADED = {CARDS, ECOSYSTEM, "interview", "design"}  # boxes whose parts start with ###
HEADING = re.compile(r"(#{1,6})\s")
INLINE_CODE = re.compile(r"(`+).+?\1")
TAG = re.compile(r"<(?!https?://|mailto:)[a-zA-Z/!?]")
WORD = re.compile(r"\S*[A-Za-z0-9]\S*")
ROW = re.compile(r"[-*+]\s|\d{1,2}\.\s|\|")  # lines of a list or a table


def word_count(blocks: list[Block]) -> int:
    """Words of prose, tables and titles, without code and check questions."""
    lines = (line for block in blocks if block.kind != CHECK for _, line in prose_lines(block))
    return sum(len(WORD.findall(line)) for line in lines)


def faults_of(blocks: list[Block]) -> Iterator[Fault]:
    """Everything wrong with the text itself, without the bank."""
    yield from _order(blocks)
    yield from _counts(blocks)
    for block in blocks:
        yield from _prose(block)
        yield from _code(block)
        for start, reason in broken_formulas(block.text):
            yield Fault(block.line + block.text.count("\n", 0, start), reason)
        if why := pathology(block.text, EDITORS):
            yield Fault(block.line, why.words)
    # Cards about tools are looked up, not read through, so they don't lengthen a chapter.
    words = word_count([block for block in blocks if block.kind != ECOSYSTEM])
    if not WORDS[0] <= words <= WORDS[1]:
        yield Fault(1, f"{words} words; the usual range is {WORDS[0]:,} to {WORDS[1]:,}", WARN)


def check_faults(blocks: list[Block], domain: str, bank: Mapping[str, DraftQuestion]) -> Iterator[Fault]:
    """Check questions must be public, in the module's own domain, and used once."""
    seen: set[str] = set()
    for block in blocks:
        if block.kind != CHECK:
            continue
        question = bank.get(block.text)
        if question is None:
            yield Fault(block.line, f"“{block.text}” is no question of the bank")
        elif question.pool != "open":
            yield Fault(block.line, f"“{block.text}” is not a public question")
        elif question.domain != domain:
            yield Fault(block.line, f"“{block.text}” belongs to the domain “{question.domain}”")
        if block.text in seen:
            yield Fault(block.line, f"“{block.text}” appears twice")
        seen.add(block.text)


def _order(blocks: list[Block]) -> Iterator[Fault]:
    """Cards, then sections with their boxes and checks, then the closing boxes in their order."""
    closing = list(CLOSING)
    place = -1  # -1 before the first section, 0 in the sections, then 1 for each closing box
    for block in blocks:
        if block.kind == SECTION and place <= 0:
            place = 0
        elif block.kind in CLOSING and 0 <= place <= closing.index(block.kind):
            place = closing.index(block.kind) + 1
        elif (block.kind == CARDS and place == -1) or (block.kind in {TEXT, CHECK, *INSIDE} and place == 0):
            continue
        else:
            order = ", ".join(closing)
            yield Fault(block.line, f"“{block.kind}” is out of order: cards, sections, {order}")


def _counts(blocks: list[Block]) -> Iterator[Fault]:
    found = Counter(block.kind for block in blocks)
    for kind, (least, most) in COUNTS.items():
        if not least <= found[kind] <= most:
            meant = str(least) if least == most else f"{least} to {most}"
            yield Fault(1, f"{found[kind]} of “{kind}”; there should be {meant}", WARN)
    titles = Counter(block.text for block in blocks if block.kind == SECTION)
    for block in blocks:
        if block.kind == SECTION and titles[block.text] > 1:
            yield Fault(block.line, f"the section “{block.text}” appears twice")


def _prose(block: Block) -> Iterator[Fault]:
    lines = list(prose_lines(block))
    if block.kind in HEADED and not next((line for _, line in lines if line.strip()), "").startswith("### "):
        yield Fault(block.line, f"a box “{block.kind}” begins with a heading ###")
    paragraph = ""  # its first line
    for number, line in lines:
        heading = HEADING.match(line)
        if heading and not (len(heading.group(1)) == 3 and block.kind in {TEXT, *HEADED}):
            yield Fault(number, "only ## for sections, and ### for parts of sections and of boxes that have headings")
        if TAG.search(INLINE_CODE.sub("", without_formulas(line))):
            yield Fault(number, "holds raw HTML, which would be shown as text")
        if not line.strip() or heading:
            paragraph = ""
        elif not paragraph:
            paragraph = line
        elif ROW.match(line) and not ROW.match(paragraph) and not paragraph.startswith(" "):
            yield Fault(number, "a list or a table needs an empty line before it", WARN)


def _code(block: Block) -> Iterator[Fault]:
    for code in codes(block):
        if not code.language:
            yield Fault(code.line, "code needs a language", WARN)
        if code.language == "python":
            yield from python_faults(code.text, code.line)


def python_faults(text: str, line: int) -> Iterator[Fault]:
    """Where the code stops parsing as Python; ``line`` is its first line's number."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        at = getattr(error, "lineno", None) or 1
        yield Fault(line + at - 1, f"is not Python: {getattr(error, 'msg', error)}")
