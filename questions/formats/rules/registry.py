"""The formats: their names, how each is read and written, and what it preserves.

A parser is named here and only imported when a file in its format is read or written: the site starts without them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, BinaryIO, cast

from questions.formats.rules.items import BadFile, Found, Item, Read, Skipped
from questions.formats.rules.limits import FILE_BYTES
from questions.formats.rules.reading.archives import is_archive, is_zip
from questions.formats.rules.reading.columns.choice import Chosen
from questions.formats.rules.reading.encoding.binary import refuse_binary
from questions.formats.rules.reading.encoding.guessing import with_note
from questions.formats.rules.reading.pictures import with_pictures
from questions.formats.rules.reading.text_lines import encodings_of, lines_of, text_of
from questions.versions.material.pictures.rules.encode import DEFAULT, Limits

Write = Callable[[Iterable[Item]], bytes]
ALL_PARTS = ("id", "title", "feedback", "explanation", "tags", "category", "draft")
NEUTRAL = ALL_PARTS[:-1]


@dataclass(frozen=True)
class Format:
    """One format. ``read`` yields items and skips, or raises BadFile; ``write`` is None for read-only formats.

    ``carries`` are the parts of an item that survive writing and reading, besides stem, options, kind and key.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Read | None
    write: Write | None = None
    carries: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    pictures: bool = False  # whether files we write include them

    @property
    def is_xml(self) -> bool:
        """Whether a file can state its encoding in an XML declaration."""
        return self.name in XML_READERS


def parser(name: str) -> Any:
    """A format's module, by its name in this package. Call it when there is a file, not at import."""
    return import_module(f"questions.formats.rules.{name}")


def _word(stream: BinaryIO) -> Iterator[Found]:
    found: Iterator[Found] = parser("xml.word.docx").read(stream, parser("detection").format_of_text)
    return found


def _lines(name: str, xml: bool = False) -> Read:
    """A line-based reader: this parser's ``read``."""
    return lambda stream: parser(name).read(lines_of(stream, xml=xml))


XML_READERS: dict[str, Read] = {
    "moodle-xml": _lines("xml.moodle_xml", xml=True),
    "qti-1.2": _lines("xml.qti1", xml=True),
    "qti-2.1": _lines("xml.qti2", xml=True),
    "qti-2.2": _lines("xml.qti2", xml=True),
    "qti-3.0": _lines("xml.qti2", xml=True),
    "olx": _lines("xml.olx", xml=True),
}


def _xml_or_package(name: str) -> Read:
    """A reader of single files, and of packages with files of any of the XML formats: some export a quiz in two."""

    def read(stream: BinaryIO) -> Iterator[Found]:
        packages = parser("xml.packages")
        in_package = packages.is_package(stream)
        return packages.read_package(stream, XML_READERS) if in_package else XML_READERS[name](stream)

    return read


def _own(suffixes: tuple[str, ...], read: Read) -> Read:
    """A reader of our own files, plain or packed with their pictures."""

    def found(stream: BinaryIO) -> Iterator[Found]:
        if not is_zip(stream):
            return read(stream)
        return cast("Iterator[Found]", parser("own.own_package").read(stream, suffixes, read))

    return found


def _packed(name: str, write: Write) -> Write:
    """A writer of our own files, packed with their pictures if any."""

    def written(items: Iterable[Item]) -> bytes:
        items = list(items)
        content = write(items)
        return parser("own.own_package").packed(name, content, items) if any(i.pictures for i in items) else content

    return written


def _text(name: str) -> Write:
    """A text writer: this parser's ``write``."""
    return lambda items: "".join(parser(name).write(items)).encode(errors="replace")


def _qti(dialect: str) -> Write:
    """A writer of packages in this dialect, named in the module."""

    def write(items: Iterable[Item]) -> bytes:
        writing = parser("xml.qti_writing")
        return bytes(writing.write(items, getattr(writing, dialect)))

    return write


YAML_SUFFIXES, JSON_SUFFIXES = (".yaml", ".yml"), (".json",)
FORMATS: tuple[Format, ...] = (
    Format(
        "yaml",
        "our own YAML",
        YAML_SUFFIXES,
        _own(YAML_SUFFIXES, _lines("own.own_yaml")),
        _packed("questions.yaml", _text("own.own_yaml")),
        ALL_PARTS,
        pictures=True,
    ),
    Format(
        "json",
        "our own JSON",
        JSON_SUFFIXES,
        _own(JSON_SUFFIXES, lambda stream: parser("own.own_json").read(text_of(stream))),
        _packed("questions.json", _text("own.own_json")),
        ALL_PARTS,
        pictures=True,
    ),
    Format("gift", "GIFT", (".gift",), _lines("plain.gift"), _text("plain.gift"), NEUTRAL),
    Format("aiken", "Aiken", (".aiken",), _lines("plain.aiken")),
    Format(
        "moodle-xml",
        "Moodle XML",
        (),
        _xml_or_package("moodle-xml"),
        _text("xml.moodle_xml"),
        NEUTRAL,
        aliases=("moodle", "xml"),
        pictures=True,
    ),
    Format("qti-1.2", "QTI 1.2", (), _xml_or_package("qti-1.2"), aliases=("qti1", "imscc")),
    Format(
        "qti-2.1",
        "QTI 2.1",
        (".qti",),
        _xml_or_package("qti-2.1"),
        _qti("QTI_2_1"),
        NEUTRAL,
        aliases=("qti", "qti2"),
        pictures=True,
    ),
    Format("qti-2.2", "QTI 2.2", (), _xml_or_package("qti-2.1")),
    Format(
        "qti-3.0",
        "QTI 3.0",
        (),
        _xml_or_package("qti-2.1"),
        _qti("QTI_3"),
        NEUTRAL,
        aliases=("qti3",),
        pictures=True,
    ),
    Format("olx", "OLX (Open edX)", (".olx",), _xml_or_package("olx"), aliases=("edx",)),
    Format(
        "csv",
        "CSV",
        (".csv", ".tsv"),
        lambda stream: parser("tables.csv_file").read(stream),
        _text("tables.csv_file"),
        NEUTRAL,
    ),
    Format(
        "xlsx",
        "XLSX",
        (".xlsx",),
        lambda stream: parser("tables.xlsx").read(stream),
        lambda items: bytes(parser("tables.xlsx").write(items)),
        NEUTRAL,
        aliases=("excel",),
    ),
    Format(
        "brightspace",
        "Brightspace CSV",
        (),
        lambda stream: parser("tables.brightspace").read(stream),
        aliases=("d2l",),
    ),
    Format("records", "quizzes in JSON or YAML", (), lambda stream: parser("tables.records").read(stream)),
    Format("blackboard", "Blackboard (text upload)", (), _lines("plain.blackboard")),
    Format(
        "markdown",
        "Markdown with task lists",
        (".md", ".markdown"),
        _lines("plain.markdown_lists"),
        aliases=("md",),
    ),
    Format(
        "text2qti",
        "text2qti, and lists that mark the right answer",
        (),
        _lines("plain.marked_lists"),
        aliases=("respondus",),
    ),
    Format("docx", "lists in Word", (".docx",), _word, aliases=("word",)),
    Format("anki", "Anki’s text format", (), None, _text("plain.anki"), aliases=("tsv", "anki-tsv")),
)
BY_NAME = {form.name: form for form in FORMATS}


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def by_columns(chosen: Chosen) -> Format:
    """A format for one table with user-defined columns (tables/mapping.py)."""
    return Format("table", "table", (), lambda stream: parser("tables.mapping").read(stream, chosen))


SPELLINGS = {_plain(name): form for form in FORMATS for name in (form.name, *form.aliases)}


def format_named(name: str) -> Format:
    """The format of a name, in any usual spelling. Raises BadFile."""
    found = SPELLINGS.get(_plain(name))
    if found is None:
        raise BadFile(f"“{name}” is not a known format; choose from {', '.join(BY_NAME)}")
    return found


def title_of(name: str) -> str:
    """What a stored format is called on pages; its name if it is no longer known."""
    found = BY_NAME.get(name)
    return found.title if found else name


def check_size(stream: BinaryIO) -> None:
    """Refuse a file that is empty or too large. Raises BadFile."""
    size = stream.seek(0, 2)
    stream.seek(0)
    if not size:
        raise BadFile("is empty")
    if size > FILE_BYTES:
        raise BadFile(f"is larger than {FILE_BYTES // 2**20} MiB")


def read_items(form: Format, stream: BinaryIO, limits: Limits = DEFAULT) -> Iterator[Found]:
    """A file's contents, with pictures within these limits.

    Raises BadFile if nothing can be read; after that, a break is one more skip.
    """
    if form.read is None:
        raise BadFile(f"{form.title} can be exported but not imported")
    check_size(stream)
    refuse_binary(stream)
    last = 0
    try:
        encodings = [] if is_archive(stream) else encodings_of(stream, xml=form.is_xml)
        for found in with_note(form.read(stream), encodings):
            yield with_pictures(found, limits)
            last = found.line
    except BadFile as error:
        if not last:
            raise
        yield Skipped(last, "file", f"the rest {error}")
    if not last:
        raise BadFile(f"has no question that could be read as {form.title}")
