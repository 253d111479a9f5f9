"""The formats: their names, how each is read and written, and what it can carry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from questions.formats.rules.items import BadFile, Found, Item, Skipped
from questions.formats.rules.limits import FILE_BYTES
from questions.formats.rules.own import own_json, own_yaml
from questions.formats.rules.plain import aiken, anki, gift, markdown_lists
from questions.formats.rules.reading.text_lines import Line, lines_of, text_of
from questions.formats.rules.tables import csv_file, xlsx
from questions.formats.rules.xml import moodle_xml, olx, qti1, qti2, qti_writing
from questions.formats.rules.xml.packages import Read, is_package, read_package

Write = Callable[[Iterable[Item]], bytes]
ALL_PARTS = ("id", "title", "feedback", "explanation", "tags", "category", "draft")
NEUTRAL = ALL_PARTS[:-1]


@dataclass(frozen=True)
class Format:
    """One format. ``read`` yields items and what it skipped, or raises BadFile; ``write`` is None where we only read.

    ``carries`` are the parts of an item that come back from a file we wrote, besides stem, options, kind and key.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Read | None
    write: Write | None = None
    carries: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


def _lines(read: Callable[[Iterable[Line]], Iterator[Found]]) -> Read:
    return lambda stream: read(lines_of(stream))


def _xml(read: Callable[[Iterable[Line]], Iterator[Found]]) -> Read:
    return lambda stream: read(lines_of(stream, xml=True))


XML_READERS: dict[str, Read] = {
    "moodle-xml": _xml(moodle_xml.read),
    "qti-1.2": _xml(qti1.read),
    "qti-2.1": _xml(qti2.read),
    "qti-2.2": _xml(qti2.read),
    "qti-3.0": _xml(qti2.read),
    "olx": _xml(olx.read),
}


def _xml_or_package(*names: str) -> Read:
    """A reader of single files and of packages with files of the same family."""
    readers = {name: XML_READERS[name] for name in names}

    def read(stream: BinaryIO) -> Iterator[Found]:
        return read_package(stream, readers) if is_package(stream) else readers[names[0]](stream)

    return read


def _text(write: Callable[[Iterable[Item]], Iterable[str]]) -> Write:
    return lambda items: "".join(write(items)).encode(errors="replace")


QTI_2 = ("qti-2.1", "qti-2.2", "qti-3.0")
FORMATS: tuple[Format, ...] = (
    Format("yaml", "our own YAML", (".yaml", ".yml"), _lines(own_yaml.read), _text(own_yaml.write), ALL_PARTS),
    Format(
        "json",
        "our own JSON",
        (".json",),
        lambda stream: own_json.read(text_of(stream)),
        _text(own_json.write),
        ALL_PARTS,
    ),
    Format("gift", "GIFT", (".gift",), _lines(gift.read), _text(gift.write), NEUTRAL),
    Format("aiken", "Aiken", (".aiken",), _lines(aiken.read)),
    Format(
        "moodle-xml",
        "Moodle XML",
        (),
        _xml_or_package("moodle-xml"),
        _text(moodle_xml.write),
        NEUTRAL,
        aliases=("moodle", "xml"),
    ),
    Format("qti-1.2", "QTI 1.2", (), _xml_or_package("qti-1.2"), aliases=("qti1", "imscc")),
    Format(
        "qti-2.1",
        "QTI 2.1",
        (".qti",),
        _xml_or_package(*QTI_2),
        lambda items: qti_writing.write(items, qti_writing.QTI_2_1),
        NEUTRAL,
        aliases=("qti", "qti2"),
    ),
    Format("qti-2.2", "QTI 2.2", (), _xml_or_package(*QTI_2)),
    Format(
        "qti-3.0",
        "QTI 3.0",
        (),
        _xml_or_package(*QTI_2),
        lambda items: qti_writing.write(items, qti_writing.QTI_3),
        NEUTRAL,
        aliases=("qti3",),
    ),
    Format("olx", "OLX (Open edX)", (".olx",), _xml_or_package("olx"), aliases=("edx",)),
    Format("csv", "CSV", (".csv", ".tsv"), _lines(csv_file.read), _text(lambda i: [csv_file.write(i)]), NEUTRAL),
    Format("xlsx", "XLSX", (".xlsx",), xlsx.read, aliases=("excel",)),
    Format(
        "markdown",
        "Markdown with task lists",
        (".md", ".markdown"),
        _lines(markdown_lists.read),
        aliases=("md",),
    ),
    Format("anki", "Anki's text format", (), None, _text(anki.write), aliases=("tsv", "anki-tsv")),
)
BY_NAME = {form.name: form for form in FORMATS}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


SPELLINGS = {_plain(name): form for form in FORMATS for name in (form.name, *form.aliases)}


def format_named(name: str) -> Format:
    """The format of a name, in any usual spelling. Raises BadFile."""
    found = SPELLINGS.get(_plain(name))
    if found is None:
        raise BadFile(f"“{name}” is no format known here; known are {', '.join(BY_NAME)}")
    return found


def check_size(stream: BinaryIO) -> None:
    """Refuse a file that is empty or too large. Raises BadFile."""
    size = stream.seek(0, 2)
    stream.seek(0)
    if not size:
        raise BadFile("is empty")
    if size > FILE_BYTES:
        raise BadFile(f"is larger than {FILE_BYTES // 2**20} MiB")


def read_items(form: Format, stream: BinaryIO) -> Iterator[Found]:
    """What stands in a file. Raises BadFile where nothing of it can be read; after that, a break is one more skip."""
    if form.read is None:
        raise BadFile(f"{form.title} can be written, not read")
    check_size(stream)
    last = 0
    try:
        for found in form.read(stream):
            yield found
            last = found.line
    except BadFile as error:
        if not last:
            raise
        yield Skipped(last, "file", f"the rest {error}")
