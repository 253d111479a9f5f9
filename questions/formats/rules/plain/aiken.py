"""Aiken (docs.moodle.org/en/Aiken_format): the question, options ``A.`` or ``A)`` in order, ``ANSWER: B``.

Moodle's reader wants the question on one line; like others, this one accepts several. A block ends with its answer line
or, if broken, where the options stop or start again, so that the next question isn't lost too. A line ``EXPLANATION:``
after the answer, and what follows it up to a blank line, belongs to the question before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from questions.formats.rules.items import CannotTake, Found, Item, ItemOption, item_or_reason, kind_of
from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.text_lines import Line

OPTION = re.compile(r"([A-Z])[.)](?:\s+(\S.*))?$")
SMALL = re.compile(r"([a-z])[.)](?:\s+(\S.*))?$")  # more than Moodle allows, but common
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TOLD = re.compile(r"(?:explanation|feedback|rationale)\s?:\s*", re.IGNORECASE)
NEXT = re.compile(r"(?:q(?:uestion)?\s*)?\d{1,4}\s?[.):]\s+\S|q(?:uestion)?\s*\d{1,4}$", re.IGNORECASE)
ANSWER = re.compile(r"ANSWER\s?:\s*(.*)$", re.IGNORECASE)
# Moodle doesn't allow several, but they're common.
LETTERS = re.compile(r"[A-Z](?:(?:\s*[,;&]\s*|\s+AND\s+|\s+)[A-Z])*")


@dataclass
class Block:
    stem: list[Line] = field(default_factory=list)
    options: list[tuple[str, list[Line]]] = field(default_factory=list)
    answer: str | None = None
    told: list[Line] = field(default_factory=list)
    size: int = 0
    blank: bool = False

    @property
    def line(self) -> int:
        return self.stem[0][0] if self.stem else 1

    def split(self) -> Block:
        """The next block, whose question was taken for a continuation of the last option."""
        letter, lines = self.options[-1]
        self.options[-1] = (letter, lines[:1])
        return Block(stem=lines[1:] or [(self.line, "")])


def read(lines: Iterable[Line]) -> Iterator[Found]:
    for block in blocks(lines):
        yield item_or_reason(block.line, "multichoice", lambda block=block: _item(block))  # type: ignore[misc]


def blocks(lines: Iterable[Line]) -> Iterator[Block]:
    """Blocks of lines, each up to its answer or to where it breaks."""
    block = Block()
    for number, raw in lines:
        text = raw.strip()
        if not text:
            block.blank = bool(block.stem)
            continue
        if block.answer is not None and _tells(block, (number, text)):
            continue
        if block.answer is not None:
            yield block
            block = Block()
        option, answer = _option(block, text), ANSWER.match(text)
        if _breaks(block, option, answer):
            done, block = block, block.split() if option else Block()
            yield done
        _add(block, (number, text), option, answer)
    if block.stem:
        yield block


def _option(block: Block, text: str) -> re.Match[str] | None:
    """An option; one without words, like a form's blank row, only if its letter is the next one."""
    option = OPTION.match(text)
    return option if option and (option.group(2) or _is_next(block, option.group(1))) else None


def _is_next(block: Block, letter: str) -> bool:
    return bool(block.stem) and letter == ALPHABET[len(block.options) :][:1]


def _tells(block: Block, line: Line) -> bool:
    """Add this line if it belongs to an explanation after the answer; returns whether it did."""
    told = TOLD.match(line[1])
    if not told and (block.blank or not block.told or NEXT.match(line[1])):
        return False
    block.size += len(line[1])
    block.blank = False
    block.told.append((line[0], line[1][told.end() :] if told else line[1]))
    return True


def _breaks(block: Block, option: re.Match[str] | None, answer: re.Match[str] | None) -> bool:
    """Whether this line can't belong to the block any more: options start again, or other text follows them."""
    if option:
        return bool(block.options) and option.group(1) == "A"
    return bool(block.options) and not answer and block.blank


def _add(block: Block, line: Line, option: re.Match[str] | None, answer: re.Match[str] | None) -> None:
    block.size += len(line[1])
    block.blank = False
    if block.stem and block.size > ITEM_CHARACTERS:
        return
    if answer:
        block.answer = answer.group(1).strip()
        block.stem = block.stem or [(line[0], "")]
    elif option and block.stem:
        block.options.append((option.group(1), [(line[0], option.group(2) or "")]))
    elif block.options:
        block.options[-1][1].append(line)
    else:
        block.stem.append(line)


def _item(block: Block) -> Item:
    if block.size > ITEM_CHARACTERS:
        raise CannotTake(f"is larger than {ITEM_CHARACTERS:,} characters")
    if not block.options:
        _take_small(block)
    letters = "".join(letter for letter, _ in block.options)
    if not letters:
        raise CannotTake("has no options; each starts with “A.” or “A)” and a space")
    if letters != ALPHABET[: len(letters)]:
        raise CannotTake(f"has options in the order {', '.join(letters)}; they must run from A without gaps")
    if block.answer is None:
        raise CannotTake("has no line “ANSWER: X”")
    named = block.answer.rstrip(".) ").upper()
    right = set(re.findall(r"\b[A-Z]\b", named)) if LETTERS.fullmatch(named) else set()
    if not right or not right <= set(letters):
        raise CannotTake(f"has the answer “{block.answer[:40]}”, which isn’t the letter of one of its options")
    texts = Texts()
    return Item(
        line=block.line,
        id="",
        kind=kind_of(len(right)),
        stem=texts.plain(_joined(block.stem)),
        options=tuple(ItemOption(texts.plain(_joined(lines)), letter in right) for letter, lines in block.options),
        explanation=texts.plain(_joined(block.told), needed=False),
    )


def _take_small(block: Block) -> None:
    """Options with lower-case letters, if there are no others: from ``a`` without gaps."""
    lines, block.stem = block.stem, []
    for line in lines:
        small = SMALL.match(line[1])
        if small and _is_next(block, small.group(1).upper()):
            block.options.append((small.group(1).upper(), [(line[0], small.group(2) or "")]))
        else:
            (block.options[-1][1] if block.options else block.stem).append(line)


def _joined(lines: list[Line]) -> str:
    return "\n".join(text for _, text in lines)
