"""Packages of XML files: QTI with its manifest, Common Cartridge, Blackboard, Canvas, OLX courses; any folder layout.

Each file with questions is read in its own format, in the manifest's order. Other files are skipped.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from posixpath import dirname
from typing import BinaryIO
from urllib.parse import unquote

from questions.formats.rules.items import BadFile, Found, Read, Skipped
from questions.formats.rules.limits import FILE_BYTES
from questions.formats.rules.reading.archives import (
    Entry,
    entry_names,
    is_archive,
    is_zip,
    tar_entries,
    zip_entries,
    zip_files,
)
from questions.formats.rules.reading.encoding.guessing import with_note
from questions.formats.rules.reading.pictures import attached, beside
from questions.formats.rules.reading.text_lines import encodings_of, lines_of
from questions.formats.rules.reading.xml_tree import Node, read_nodes

SUFFIXES = (".xml", ".qti", ".dat")
IMAGE_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg")
MANIFEST = "imsmanifest.xml"
HEAD_BYTES = 8192
"""Enough for the declaration and the root element, by which a file's format is recognised; comments before it can be
long."""
ROOTS = {
    "quiz": "moodle-xml",
    "questestinterop": "qti-1.2",
    "assessmentItem": "qti-2.1",
    "qti-assessment-item": "qti-3.0",
    "problem": "olx",
    "library": "olx",
}
# Canvas's quizzes, and others' problems or libraries, have a namespace; formats without namespaces don't.
WITHOUT_NAMESPACE = {"moodle-xml", "olx"}
ROOT = re.compile(rf"<(?:[\w.-]+:)?({'|'.join(ROOTS)})(?=[\s/>])([^>]*)")
NAMESPACE = re.compile(r"\bxmlns\s*=")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# A Common Cartridge from Canvas contains each quiz twice: reduced to the standard, and in Canvas's own form.
IN_CARTRIDGE = re.compile(r"(.*/)?([^/]+)/assessment_qti\.xml")
WHOLE_SUFFIX = ".xml.qti"
PACKED = (".zip", ".imscc", ".tar.gz", ".tgz", ".tar.xz")
NO_ORDER: Mapping[str, int] = {}


@dataclass(frozen=True)
class Listed:
    """A manifest's data on a file: its position, tags and category."""

    place: int
    tags: tuple[str, ...]
    category: str


def xml_format(head: str) -> str:
    """The format of an XML text by its first known element; "" if none."""
    found = ROOT.search(COMMENT.sub("", head))
    if found is None:
        return ""
    name = ROOTS[found.group(1)]
    if name in WITHOUT_NAMESPACE and NAMESPACE.search(found.group(2)):
        return ""
    return "qti-2.2" if name == "qti-2.1" and "imsqti_v2p2" in found.group(2) else name


def head_of(content: bytes) -> str:
    """The start of a file as text, good enough to identify it."""
    start = content[:HEAD_BYTES]
    return start.decode("utf-16" if start[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8", errors="replace")


def is_package(stream: BinaryIO) -> bool:
    return is_archive(stream)


def package_format(stream: BinaryIO) -> str:
    """The format of its first file with questions; "" if there is none. Raises BadFile."""
    formats = (xml_format(head_of(entry.content)) for entry in _entries(stream))
    return next(filter(None, formats), "")


def read_package(stream: BinaryIO, readers: dict[str, Read]) -> Iterator[Found]:
    """Every item in files that one of the readers, given by format, can read. Raises BadFile."""
    listed = _manifests(stream) if is_zip(stream) else {}
    look = zip_files(stream) if is_zip(stream) else _images(stream).get
    whole = set(entry_names(stream)) if is_zip(stream) else set()
    for entry in _entries(stream, (*SUFFIXES, *PACKED), {name: facts.place for name, facts in listed.items()}):
        if entry.refused:
            yield Skipped(1, "file", f"{entry.name}: {entry.refused}")
            continue
        if entry.name.lower().endswith(PACKED):
            yield Skipped(1, "file", f"{entry.name}: is an archive in the archive; import it on its own")
            continue
        read = readers.get(xml_format(head_of(entry.content)))
        if read and not _stands_twice(entry.name, whole):
            content = io.BytesIO(entry.content)
            for found in with_note(read(content), encodings_of(content, xml=True)):
                placed = _placed(found, entry.name, listed.get(entry.name))
                yield placed if isinstance(placed, Skipped) else attached(placed, beside(dirname(entry.name), look))


def _placed(found: Found, name: str, listed: Listed | None) -> Found:
    """The item with the manifest's data, or the reason with its file's name."""
    if isinstance(found, Skipped):
        return Skipped(found.line, found.kind, f"{name}: {found.reason}")
    if listed is None:
        return found
    return dataclasses.replace(found, tags=found.tags or listed.tags, category=found.category or listed.category)


def _stands_twice(name: str, whole: set[str]) -> bool:
    """Whether this file's quiz is also in the archive in Canvas's own form."""
    poorer = IN_CARTRIDGE.fullmatch(name)
    return poorer is not None and f"{poorer.group(1) or ''}non_cc_assessments/{poorer.group(2)}{WHOLE_SUFFIX}" in whole


def _entries(
    stream: BinaryIO, suffixes: tuple[str, ...] = SUFFIXES, order: Mapping[str, int] = NO_ORDER
) -> Iterator[Entry]:
    return zip_entries(stream, suffixes, order) if is_zip(stream) else tar_entries(stream, suffixes)


def _images(stream: BinaryIO) -> dict[str, bytes]:
    """A tar archive's images, which can't be looked up individually; as many as fit into a file's size limit."""
    images: dict[str, bytes] = {}
    left = FILE_BYTES
    with contextlib.suppress(BadFile):  # a broken archive is reported when its questions are read
        for entry in tar_entries(stream, IMAGE_SUFFIXES):
            left -= len(entry.content)
            if left >= 0 and entry.content:
                images[posixpath.normpath(entry.name)] = entry.content
    return images


def _manifests(stream: BinaryIO) -> dict[str, Listed]:
    """The manifests' data by file name; manifests can be in any folder."""
    listed: dict[str, Listed] = {}
    for entry in zip_entries(stream, (MANIFEST,), NO_ORDER):
        folder = posixpath.dirname(entry.name)
        for node in read_nodes(lines_of(io.BytesIO(entry.content), xml=True), ["resource"]):
            if isinstance(node, Node) and node.get("href"):
                name = posixpath.normpath(posixpath.join(folder, unquote(node.get("href"))))
                listed.setdefault(name, Listed(len(listed), *_metadata(node)))
    return listed


def _metadata(resource: Node) -> tuple[tuple[str, ...], str]:
    """Keywords and the first taxon path (LOM, in either version)."""
    keywords = [" ".join(node.text().split()) for node in resource.walk("keyword")]
    path = next(resource.walk("taxonpath", "taxonPath"), None)
    entries = [" ".join(node.text().split()) for node in path.walk("entry")] if path else []
    return tuple(filter(None, keywords)), "/".join(filter(None, entries))
