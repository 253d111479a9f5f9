"""The numbers and letters that Word generates for paragraphs, from the numbering part of its package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from questions.formats.rules.items import BadFile
from questions.formats.rules.reading.xml_tree import BrokenXml, Node, read_nodes

SIGNS = {"lowerLetter": "abcdefghijklmno", "upperLetter": "ABCDEFGHIJKLMNO"}


def nodes_of(content: bytes, *names: str) -> Iterator[Node]:
    """The elements of one of the names in a part of the package. Raises BadFile."""
    text = content.decode("utf-8-sig", errors="replace").replace("</w:p>", "</w:p>\n")
    for found in read_nodes(enumerate(text.splitlines(keepends=True), start=1), names):
        if isinstance(found, BrokenXml):
            raise BadFile(f"is a Word document that {found.reason}")
        yield found


class Numbering:
    """Counts as Word does: each list and level from 1, and deeper levels again from 1 below a higher one."""

    def __init__(self, content: bytes) -> None:
        self.formats: dict[tuple[str, str], str] = {}
        self.lists: dict[str, str] = {}
        self.counts: Counter[tuple[str, int]] = Counter()
        for node in nodes_of(content, "abstractNum", "num") if content else ():
            if node.name == "num":
                abstract = node.first("abstractNumId")
                self.lists[_value(node, "numId")] = _value(abstract, "val")
            else:
                for level in node.nodes("lvl"):
                    form = level.first("numFmt")
                    name = _value(node, "abstractNumId"), _value(level, "ilvl")
                    self.formats[name] = _value(form, "val")

    def sign_of(self, paragraph: Node) -> str:
        """The number or letter of a paragraph in a list; "" for any other, and for a bullet."""
        found = next(iter(paragraph.walk("numPr")), None)
        named, level = (found.first("numId"), found.first("ilvl")) if found else (None, None)
        if named is None:
            return ""
        number, depth = _value(named, "val"), int(_value(level, "val") or 0)
        form = self.formats.get((self.lists.get(number, ""), str(depth)), "")
        self.counts[number, depth] += 1
        for deeper in [key for key in self.counts if key[0] == number and key[1] > depth]:
            del self.counts[deeper]
        count = self.counts[number, depth]
        if form == "decimal":
            return f"{count}. "
        return f"{SIGNS[form][count - 1]}. " if form in SIGNS and count <= len(SIGNS[form]) else ""


def _value(node: Node | None, name: str) -> str:
    return node.get(name) if node else ""
