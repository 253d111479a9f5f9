"""The body of a study module, taken apart: sections, prose, boxes and check questions, each with its line."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from questions.lint.rules import REFUSE
from questions.lint.rules.wording import parts

SECTION, TEXT, CHECK, CARDS = "section", "text", "check", "cards"
INSIDE = {
    "tip": "Exam tip",
    "pitfall": "Common pitfall",
    "performance": "Performance note",
    "decision": "Decision tree",
}
ECOSYSTEM = "ecosystem"
CLOSING = {
    ECOSYSTEM: "The ecosystem",
    "focus": "Exam focus",
    "explain": "Explain it in two minutes",
    "interview": "Interview questions",
    "design": "Design scenario",
    "mistakes": "Common mistakes",
}
KINDS = {CARDS, CHECK, *INSIDE, *CLOSING}
FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([\w-]*)")
NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Block:
    """A part of the body and its first line. ``text`` is a section's title, or a check question's id."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Fault:
    line: int
    reason: str
    severity: str = REFUSE


@dataclass(frozen=True)
class Code:
    line: int
    language: str
    text: str


def blocks_of(body: str, first_line: int = 1) -> tuple[list[Block], list[Fault]]:
    """The parts in order, and the faults that keep parts from being told apart."""
    reader = _Reader(start=first_line)
    for number, line in enumerate(body.splitlines(), first_line):
        reader.take(number, line)
    return reader.finish()


def anchor_of(place: int, title: str) -> str:
    """A section's anchor; ``place`` counts from one."""
    return f"{place:02}-{NOT_IN_NAMES.sub('-', title.lower()).strip('-')}"


def prose_lines(block: Block) -> Iterator[tuple[int, str]]:
    """The numbered lines of a block outside code."""
    fence = ""
    for number, line in enumerate(block.text.splitlines(), block.line):
        before, fence = fence, _fence_after(fence, line)
        if not before and not fence:
            yield number, line


def front_end(lines: list[str]) -> int | None:
    """The index of the line that ends the front matter; None without one."""
    has_front = bool(lines) and lines[0].rstrip() == "---" and "---" in lines[1:]
    return lines.index("---", 1) if has_front else None


def sentences_of(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a module's file outside front matter and code, each with the line its paragraph begins on."""
    lines = text.splitlines()
    first = (front_end(lines) or -1) + 2
    for start, paragraph in _paragraphs(Block(TEXT, "\n".join(lines[first - 1 :]), first)):
        yield from ((start, sentence) for sentence in parts(paragraph))


def _paragraphs(block: Block) -> Iterator[tuple[int, str]]:
    """Prose up to an empty line; table rows are separate."""
    start, lines = 0, list[str]()
    for number, line in prose_lines(block):
        is_text = bool(line.strip()) and not line.startswith(":::")
        if lines and (not is_text or line.startswith(("|", "#"))):
            yield start, "\n".join(lines)
            lines = []
        if is_text:
            start = start if lines else number
            lines.append(line)
    if lines:
        yield start, "\n".join(lines)


def codes(block: Block) -> Iterator[Code]:
    """The fenced code of a block; ``line`` is that of its first line."""
    fence, language, start = "", "", 0
    lines: list[str] = []
    for number, line in enumerate(block.text.splitlines(), block.line):
        before, fence = fence, _fence_after(fence, line)
        opened = FENCE.match(line)
        if not before and opened:
            language, start, lines = opened.group(2), number + 1, []
        elif before and not fence:
            yield Code(start, language, textwrap.dedent("\n".join(lines)) + "\n")
        elif fence:
            lines.append(line)


def _fence_after(fence: str, line: str) -> str:
    """The open fence after this line; "" outside code."""
    if not fence:
        opened = FENCE.match(line)
        return opened.group(1) if opened else ""
    return "" if line.strip() == fence else fence


@dataclass
class _Reader:
    """The reading state: the open box and its lines so far."""

    start: int
    kind: str = TEXT
    key: str = ""
    opened: int = 0
    fence: str = ""
    lines: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def take(self, number: int, line: str) -> None:
        in_code, self.fence = bool(self.fence), _fence_after(self.fence, line)
        if in_code or self.fence:
            self.lines.append(line)
        elif line.startswith(":::"):
            self._mark(number, line[3:].strip())
        elif line.startswith("## ") and self.kind == TEXT:
            self._close(number)
            self.blocks.append(Block(SECTION, line[3:].strip(), number))
        else:
            self.lines.append(line)

    def finish(self) -> tuple[list[Block], list[Fault]]:
        if self.fence:
            self.faults.append(Fault(self.start, "holds code that is not closed"))
        if self.kind != TEXT:
            self.faults.append(Fault(self.opened, f"the box “{self.kind}” is not closed"))
        self._close(0)
        return self.blocks, self.faults

    def _mark(self, number: int, words: str) -> None:
        kind, _, key = words.partition(" ")
        if self.kind != TEXT and kind:
            self.faults.append(Fault(self.opened, f"the box “{self.kind}” is not closed"))
        if self.kind == TEXT and not kind:
            self.faults.append(Fault(number, "closes a box, but none is open"))
        if kind and kind not in KINDS:
            self.faults.append(Fault(number, f"“{kind}” is not a kind of box"))
        self._close(number)
        self.kind, self.key, self.opened = kind or TEXT, key.strip(), number

    def _close(self, number: int) -> None:
        text = "\n".join(self.lines)
        if self.kind == CHECK:
            self.blocks.append(Block(CHECK, self.key, self.opened))
            if text.strip():
                self.faults.append(Fault(self.opened, "a check question has no text of its own"))
        elif self.kind != TEXT or text.strip():
            self.blocks.append(Block(self.kind, text, self.start))
        self.kind, self.lines, self.start = TEXT, [], number + 1
