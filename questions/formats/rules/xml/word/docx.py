"""Word's documents as the text they show: numbered questions, options with letters, and what marks the right one.

Only the document and its numbering are read, within the archives' limits. A paragraph becomes a line, with the number
or letter that Word generates for it. If some options of a question are bold, highlighted or coloured, they get a star.
Pictures, formulas and embedded objects become an image that isn't in the file, so that their question is skipped. The
text is then read as GIFT or Aiken if it is one, else as a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from questions.formats.rules.items import BadFile, Found
from questions.formats.rules.plain import aiken, gift, marked_lists
from questions.formats.rules.reading.archives import zip_files
from questions.formats.rules.reading.html_text import literal
from questions.formats.rules.reading.text_lines import Line
from questions.formats.rules.reading.xml_tree import Node
from questions.formats.rules.xml.word.numbering import Numbering, nodes_of

DOCUMENT, NUMBERING = "word/document.xml", "word/numbering.xml"
LEFT_OUT = {"Fallback", "del", "instrText", "pPr", "sectPr"}  # elements that are shown twice, deleted, or not text
NOT_TEXT = {"drawing", "pict", "object", "oMath", "oMathPara"}
NOT_READ = "![](not-read.png)"
OPTION = re.compile(r"\s*\*?\s?\(?[A-Oa-o][.)]\s+(?=\S)")
TYPED = re.compile(rf"{OPTION.pattern}|\s*(?:q(?:uestion)?\s?)?\d{{1,4}}\s?[.):]\s+(?=\S)", re.IGNORECASE)
PLAIN_COLOURS = {"", "auto", "000000"}
AS_WRITTEN = {"gift": gift.read, "aiken": aiken.read}


@dataclass
class Paragraph:
    """A line of the document: its number or letter, its text, and how all of its words are marked."""

    line: int
    sign: str
    text: str
    marks: frozenset[str]

    @property
    def is_option(self) -> bool:
        return bool(OPTION.match(f"{self.sign}{self.text}"))


def read(stream: BinaryIO, format_of: Callable[[str], str]) -> Iterator[Found]:
    """Every question of a Word document; ``format_of`` names the format a text looks like. Raises BadFile."""
    groups = list(_groups(stream))
    plain = [line for group in groups for line in _written(group, str)]
    name = format_of("".join(text for _, text in plain))
    if name in AS_WRITTEN:
        return iter(AS_WRITTEN[name](plain))
    return marked_lists.read(line for group in groups for line in _written(group, literal))


def _groups(stream: BinaryIO) -> Iterator[list[Paragraph]]:
    """The options of each question together, and every other paragraph on its own."""
    content = zip_files(stream)
    document = content(DOCUMENT)
    if document is None:
        raise BadFile("is a Word document whose text can’t be read")
    numbering = Numbering(content(NUMBERING) or b"")
    group: list[Paragraph] = []
    for number, node in enumerate(nodes_of(document, "p"), start=1):
        for each in _paragraphs(node, number, numbering):
            if each.is_option:
                group.append(each)
                continue
            yield group
            yield [each]
            group = []
    yield group


def _paragraphs(node: Node, line: int, numbering: Numbering) -> Iterator[Paragraph]:
    """A paragraph; if tabs separate several options, one for each."""
    runs = list(_runs(node))
    text = "".join(words for words, _ in runs).strip()
    shown = [marks for words, marks in runs if words.strip()]
    sign = numbering.sign_of(node) if text else ""
    parts = re.split(r"\t+", text)
    if len(parts) > 1 and all(map(OPTION.match, parts)):
        yield from (Paragraph(line, "", part, frozenset()) for part in parts)
    else:
        marks = frozenset.intersection(*shown) if shown else frozenset[str]()
        yield Paragraph(line, sign, text.replace("\t", " "), marks)


def _runs(node: Node) -> Iterator[tuple[str, frozenset[str]]]:
    for part in node.nodes():
        if part.name == "r":
            yield "".join(_words(part)), frozenset(_marks(part.first("rPr")))
        elif part.name in NOT_TEXT:
            yield NOT_READ, frozenset()
        elif part.name not in LEFT_OUT:
            yield from _runs(part)


def _words(node: Node) -> Iterator[str]:
    for part in node.nodes():
        if part.name == "t":
            yield part.text()
        elif part.name in ("tab", "br", "cr"):
            yield "\t" if part.name == "tab" else "\n"
        elif part.name in NOT_TEXT:
            yield NOT_READ
        elif part.name not in LEFT_OUT:
            yield from _words(part)


def _marks(facts: Node | None) -> Iterator[str]:
    for fact in facts.nodes() if facts else ():
        value = fact.get("val")
        if fact.name == "b" and value not in ("0", "false"):
            yield "bold"
        elif fact.name == "highlight" and value != "none":
            yield "highlight"
        elif fact.name == "color" and value.lower() not in PLAIN_COLOURS:
            yield f"colour {value}"


def _written(group: list[Paragraph], escape: Callable[[str], str]) -> Iterator[Line]:
    """The lines of a question's options, with a star at those that are marked; any other paragraph as it is."""
    marks = {mark for each in group for mark in each.marks}
    subsets = {tuple(mark in each.marks for each in group) for mark in marks}
    subsets.discard((True,) * len(group))
    starred = subsets.pop() if len(subsets) == 1 else ()
    for place, each in enumerate(group):
        whole = f"{'*' if starred and starred[place] else ''}{each.sign}{each.text}"
        typed = TYPED.match(whole)
        end = typed.end() if typed else 0
        parts = re.split(f"({re.escape(NOT_READ)})", whole[end:])
        words = "".join(part if part == NOT_READ or not part.strip() else escape(part) for part in parts)
        for text in f"{whole[:end]}{words}".split("\n"):
            yield each.line, f"{text}\n"
