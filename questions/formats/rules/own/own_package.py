"""Our own files with their pictures: a zip archive laid out like an exam's folder of bank files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from questions.formats.rules.items import BadFile, Found, Item, Read, Skipped
from questions.formats.rules.reading.archives import zip_entries, zip_files
from questions.formats.rules.reading.pictures import attached, beside

EPOCH = (1980, 1, 1, 0, 0, 0)  # the same items give the same bytes


def read(stream: BinaryIO, suffixes: tuple[str, ...], read_file: Read) -> Iterator[Found]:
    """The contents of each file with one of the suffixes, with the pictures it names. Raises BadFile."""
    look, some = beside("", zip_files(stream)), False
    for entry in zip_entries(stream, suffixes, {}):
        some = True
        if entry.refused:
            yield Skipped(1, "file", f"{entry.name}: {entry.refused}")
            continue
        for found in read_file(io.BytesIO(entry.content)):
            yield found if isinstance(found, Skipped) else attached(found, look)
    if not some:
        raise BadFile("is an archive with no question file in it")


def packed(name: str, content: bytes, items: Sequence[Item]) -> bytes:
    """The file under ``questions`` and the pictures of its items under ``pictures``."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(f"questions/{name}", EPOCH), content, zipfile.ZIP_DEFLATED)
        for picture in {each.name: each for item in items for each in item.pictures}.values():
            archive.writestr(zipfile.ZipInfo(f"pictures/{picture.name}", EPOCH), picture.content)
    return out.getvalue()
