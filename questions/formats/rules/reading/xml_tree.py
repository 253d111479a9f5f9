"""XML read piece by piece: only requested elements are kept, and a broken one doesn't lose the next.

The parser is defusedxml's: a declaration or an entity ends the reading, and nothing external is read. ILIAS and R/exams
name a DTD file in each of their files; that line is skipped, the file never fetched. Names are local names, without
prefix, because real files use any prefix for the same thing.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, IncrementalParser, Locator

from defusedxml import DefusedXmlException, DTDForbidden, expatreader

from questions.formats.rules.items import Found, Skipped
from questions.formats.rules.limits import FILES_CHARACTERS, ITEM_CHARACTERS, XML_DEPTH
from questions.formats.rules.reading.text_lines import Line

VOID = {"br", "hr", "img", "col"}
FILES = {"file"}  # in Moodle XML, a picture's bytes, which are counted separately
DECLARES = "declares entities or a document type of its own, which isn’t allowed"
PER_ELEMENT = 10  # the characters that an element counts as, besides its text


@dataclass
class Node:
    """An element: its local name, attributes, line, and its text and elements in order."""

    name: str
    attributes: dict[str, str]
    line: int
    parts: list[Node | str] = field(default_factory=list)

    def nodes(self, *names: str) -> Iterator[Node]:
        """Child elements, all or those of some names."""
        return (part for part in self.parts if isinstance(part, Node) and (not names or part.name in names))

    def first(self, *names: str) -> Node | None:
        """The first child element of one of the names."""
        return next(self.nodes(*names), None)

    def walk(self, *names: str) -> Iterator[Node]:
        """Descendants in document order, all or those of some names."""
        for node in self.nodes():
            if not names or node.name in names:
                yield node
            yield from node.walk(*names)

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text() for part in self.parts)

    def child_text(self, name: str) -> str:
        """The stripped text of the first child with that name; "" if there is none."""
        child = self.first(name)
        return child.text().strip() if child else ""

    def inner_html(self) -> str:
        return "".join(escape(part, quote=False) if isinstance(part, str) else part.html() for part in self.parts)

    def html(self) -> str:
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())
        if self.name in VOID:
            return f"<{self.name}{attributes}>"
        return f"<{self.name}{attributes}>{self.inner_html()}</{self.name}>"


@dataclass(frozen=True)
class BrokenXml:
    """A place where the XML can't be read, and whether anything after it could be."""

    line: int
    reason: str
    refused: bool = False


class _Parser(expatreader.DefusedExpatParser):
    """Refuses an internal subset and every entity, and fetches nothing."""

    def __init__(self) -> None:
        super().__init__(forbid_dtd=True)

    def defused_start_doctype_decl(
        self, name: str, sysid: str | None, pubid: str | None, has_internal_subset: bool
    ) -> None:
        """Raises DTDForbidden for a document type with an internal subset."""
        if has_internal_subset:
            raise DTDForbidden(name, sysid, pubid)

    def defused_external_entity_ref_handler(  # type: ignore[override]  # its stub says None; expat wants a number
        self, context: str, base: str | None, sysid: str | None, pubid: str | None
    ) -> int:
        """Ignore the file a document type names. Entities, which could also refer to files, can't be declared here."""
        return 1


class _TooMuch(ValueError):
    """Nested too deeply or too large; the message says which."""


class _Collector(ContentHandler):
    """Builds the requested nodes and discards everything else."""

    def __init__(self, wanted: frozenset[str], locator: Locator) -> None:
        super().__init__()
        self.wanted = wanted
        self.path: list[str] = []  # open ancestors, as written, for reopening after a break
        self.open: list[Node] = []
        self.start: tuple[int, int] = (0, 0)
        self.done: list[Node] = []
        self.size = 0
        self.locator = locator
        self.shift = 0  # added to the parser's line numbers, which restart after a break, to get the file's

    def place(self) -> tuple[int, int]:
        """Line (from 1) and column (from 0) of what is being read."""
        return self.locator.getLineNumber() or 1, self.locator.getColumnNumber() or 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802
        local = name.rpartition(":")[2]
        if len(self.open) + len(self.path) > XML_DEPTH:
            raise _TooMuch("is nested too deeply")
        if not self.open and local not in self.wanted:
            self.path.append(name)
            return
        if not self.open:
            self.start, self.size, self.files = self.place(), 0, 0
        self._weigh(len(local) + sum(len(key) + len(value) for key, value in attrs.items()) + PER_ELEMENT)
        node = Node(local, {key.rpartition(":")[2]: value for key, value in attrs.items()}, 0)
        node.line = self.shift + self.place()[0]
        if self.open:
            self.open[-1].parts.append(node)
        self.open.append(node)

    def endElement(self, name: str) -> None:  # noqa: N802
        """Close an element; a requested one is then complete."""
        if not self.open:
            if self.path:
                self.path.pop()
            return
        node = self.open.pop()
        if not self.open:
            self.done.append(node)

    def characters(self, content: str) -> None:
        """Text, only in requested elements."""
        if not self.open:
            return
        if self.open[-1].name in FILES:
            self.files += len(content)
            if self.files > FILES_CHARACTERS:
                raise _TooMuch(f"has files of more than {FILES_CHARACTERS // 2**20} MiB")
        else:
            self._weigh(len(content))
        self.open[-1].parts.append(content)

    def skippedEntity(self, name: str) -> None:  # noqa: N802
        """An HTML entity, whose declaration is in a file that isn't read."""
        self.characters(unescape(f"&{name};"))

    def _weigh(self, characters: int) -> None:
        self.size += characters
        if self.size > ITEM_CHARACTERS:
            raise _TooMuch(f"is larger than {ITEM_CHARACTERS:,} characters")


class _Replay:
    """Lines that can be replayed: those since the current element started."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._rest = iter(lines)
        self._again: deque[Line] = deque()
        self.held: list[Line] = []

    def __iter__(self) -> Iterator[Line]:
        return self

    def __next__(self) -> Line:
        line = self._again.popleft() if self._again else next(self._rest)
        self.held.append(line)
        return line

    def forget(self, keep: int) -> None:
        """Keep only the last of the held lines."""
        del self.held[: max(0, len(self.held) - keep)]

    def skip_to(self, start: re.Pattern[str], after: tuple[int, int]) -> bool:
        """Continue at the next match after a place (with its line number in the file)."""
        again, self.held, self._again = deque([*self.held, *self._again]), [], deque()
        while True:
            while again:
                number, text = again.popleft()
                from_column = after[1] if number == after[0] else 0
                found = None if number < after[0] else start.search(text, from_column)
                if found:
                    again.appendleft((number, " " * found.start() + text[found.start() :]))
                    self._again = again
                    return True
            line = next(self._rest, None)
            if line is None:
                return False
            again.append(line)


def read_each(
    lines: Iterable[Line], wanted: Iterable[str], kind: str, read: Callable[[Node], Found]
) -> Iterator[Found]:
    """The result of ``read`` for each requested element; a broken place is reported as a skipped ``kind``."""
    for found in read_nodes(lines, wanted):
        yield Skipped(found.line, kind, found.reason) if isinstance(found, BrokenXml) else read(found)


def read_nodes(lines: Iterable[Line], wanted: Iterable[str]) -> Iterator[Node | BrokenXml]:
    """Each requested outermost element, as soon as it is complete; and each broken place."""
    names = frozenset(wanted)
    start = re.compile(rf"<(?:[\w.-]+:)?(?:{'|'.join(map(re.escape, sorted(names)))})(?=[\s/>])")
    source = _Replay(lines)
    ancestors: list[str] = []
    behind = (0, 0)
    while True:
        parser = _Parser()
        collector = _Collector(names, parser)
        parser.setContentHandler(collector)
        broken, after = yield from _parse(source, parser, collector, ancestors)
        if broken is None:
            return
        yield broken
        ancestors = collector.path
        if broken.refused or after <= behind or not source.skip_to(start, after):
            return
        behind = after


def _parse(
    source: _Replay, parser: IncrementalParser, collector: _Collector, ancestors: list[str]
) -> Generator[Node, None, tuple[BrokenXml | None, tuple[int, int]]]:
    """Parse until the end or the first break; returns the break and the place to continue after.

    After a break, the next element's ancestors are reopened on a separate line, so that all can be closed.
    """
    number = 1
    try:
        if ancestors:
            parser.feed("".join(f"<{name}>" for name in ancestors) + "\n")
        for count, (number, text) in enumerate(source):
            if not count:
                collector.shift = number - (2 if ancestors else 1)
            parser.feed(text)
            yield from collector.done
            collector.done.clear()
            source.forget(number - collector.shift - collector.start[0] + 1 if collector.open else 1)
        parser.close()
    except SAXParseException as error:
        place, reason = (error.getLineNumber() or 1, error.getColumnNumber() or 0), error.getMessage()
        reason = f"is not well-formed XML: {reason}"
    except DefusedXmlException:
        return BrokenXml(number, DECLARES, refused=True), (0, 0)
    except _TooMuch as error:
        place, reason = collector.place(), str(error)
    else:
        return None, (0, 0)
    yield from collector.done
    shift = collector.shift
    line, column = collector.start if collector.open else place
    where = "" if line == place[0] else f" (line {shift + place[0]})"
    return BrokenXml(shift + line, reason + where), (shift + line, column + 1)
