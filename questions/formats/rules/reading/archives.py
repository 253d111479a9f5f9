"""Archives, read entry by entry within limits. Nothing is unpacked to disk, and no name in them is used as a path."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from questions.formats.rules.items import BadFile
from questions.formats.rules.limits import (
    ARCHIVE_BYTES,
    ARCHIVE_ENTRIES,
    ARCHIVE_RATIO,
    ARCHIVE_RATIO_FROM,
    ENTRY_BYTES,
)

DAMAGE: tuple[type[Exception], ...] = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError),
    *(RuntimeError, NotImplementedError, KeyError, OverflowError, IndexError),
)
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DIRECTORY_SIGN = b"PK\x01\x02"
CHUNK = 1 << 16
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
XZ_MEMORY = 128 * 1024 * 1024  # an xz stream states how much memory it needs, up to 4 GiB


@dataclass(frozen=True)
class Entry:
    """A file in an archive: its name, and its bytes or why it wasn't read."""

    name: str
    content: bytes = b""
    refused: str = ""


def is_zip(stream: BinaryIO) -> bool:
    """Whether the bytes start like a zip archive."""
    stream.seek(0)
    return stream.read(4) in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


def is_packed_tar(stream: BinaryIO) -> bool:
    """Whether the bytes start like gzip or xz, of which only tar archives are read."""
    stream.seek(0)
    return stream.read(len(XZ)).startswith((GZIP, XZ))


def is_archive(stream: BinaryIO) -> bool:
    """Whether the bytes start like a supported archive."""
    return is_zip(stream) or is_packed_tar(stream)


def entry_names(stream: BinaryIO) -> list[str]:
    """The names in a zip archive. Raises BadFile."""
    return [info.filename for info in _opened(stream).infolist()]


def zip_entries(stream: BinaryIO, suffixes: tuple[str, ...], order: Mapping[str, int]) -> Iterator[Entry]:
    """The files with one of the suffixes: those with an order first, then in archive order.

    Raises BadFile for an archive over its limits.
    """
    archive = _opened(stream)
    _check(archive.infolist())
    for info in sorted(archive.infolist(), key=lambda info: order.get(info.filename, len(order))):
        if info.filename.lower().endswith(suffixes) and not info.is_dir() and not _is_hidden(info.filename):
            yield _entry(archive, info)


def zip_files(stream: BinaryIO) -> Callable[[str], bytes | None]:
    """A function returning a zip archive's file by name; None if it is missing or refused. Raises BadFile."""
    archive = _opened(stream)
    _check(archive.infolist())
    infos = {info.filename: info for info in archive.infolist() if not info.is_dir()}

    def content(name: str) -> bytes | None:
        return _entry(archive, infos[name]).content or None if name in infos else None

    return content


def check_zip(stream: BinaryIO) -> None:
    """Check that an archive opened by another library is within the limits. Raises BadFile."""
    archive = _opened(stream)
    infos = archive.infolist()
    _check(infos)
    for info in infos:
        refused = _refusal(info)
        if refused:
            raise BadFile(f"{info.filename}: {refused}")


def _opened(stream: BinaryIO) -> zipfile.ZipFile:
    if _mentioned_files(stream) > ARCHIVE_ENTRIES:  # checked before the list of a million of them is made
        raise BadFile(f"holds more than {ARCHIVE_ENTRIES:,} files")
    stream.seek(0)
    try:
        return zipfile.ZipFile(stream)
    except DAMAGE as error:
        raise BadFile("is not a readable zip archive") from error


def _mentioned_files(stream: BinaryIO) -> int:
    """How often a directory entry's signature occurs in the bytes."""
    stream.seek(0)
    count, tail = 0, b""
    while chunk := stream.read(CHUNK):
        count += (tail + chunk).count(DIRECTORY_SIGN)
        tail = chunk[-3:]
    return count


def _check(infos: list[zipfile.ZipInfo]) -> None:
    if sum(info.file_size for info in infos) > ARCHIVE_BYTES:
        raise BadFile(f"holds more than {ARCHIVE_BYTES // 2**20} MiB")


def _refusal(info: zipfile.ZipInfo) -> str:
    if leads_out(info.filename):
        return "has a path that leads outside the archive"
    if info.flag_bits & 1:
        return "is encrypted"
    if info.compress_type not in METHODS:
        return "uses an unsupported compression method"
    if info.file_size > ENTRY_BYTES:
        return f"is larger than {ENTRY_BYTES // 2**20} MiB"
    if info.file_size >= ARCHIVE_RATIO_FROM and info.file_size > ARCHIVE_RATIO * max(1, info.compress_size):
        return f"unpacks to more than {ARCHIVE_RATIO} times its size"
    return ""


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Entry:
    refused = _refusal(info)
    if refused:
        return Entry(info.filename, refused=refused)
    try:
        with archive.open(info) as source:
            content = source.read(ENTRY_BYTES + 1)
    except DAMAGE:
        return Entry(info.filename, refused="is damaged")
    if len(content) > ENTRY_BYTES:
        return Entry(info.filename, refused=f"is larger than {ENTRY_BYTES // 2**20} MiB")
    return Entry(info.filename, content)


def leads_out(name: str) -> bool:
    """Whether a name, taken as a path, would be outside its folder."""
    parts = name.replace("\\", "/").split("/")
    return name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name


def _is_hidden(name: str) -> bool:
    """Whether it is metadata added by another system's archiver."""
    return name.startswith("__MACOSX/") or name.rpartition("/")[2].startswith("._")


class _Unxz(io.RawIOBase):
    """An xz stream's contents, piece by piece, in bounded memory."""

    def __init__(self, source: BinaryIO) -> None:
        super().__init__()
        self.source = source
        self.unpacker = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY)

    def read(self, size: int = CHUNK) -> bytes:
        """The next bytes, up to a size; b"" at the end. Raises LZMAError."""
        while not self.unpacker.eof:
            packed = self.source.read(CHUNK) if self.unpacker.needs_input else b""
            if self.unpacker.needs_input and not packed:
                raise EOFError
            if data := self.unpacker.decompress(packed, size):
                return data
        return b""


class _Capped(io.RawIOBase):
    """A stream limited to what an archive may contain, or a packed file of its size may unpack to."""

    def __init__(self, source: gzip.GzipFile | _Unxz, packed_size: int) -> None:
        super().__init__()
        self.source = source
        self.most = max(ARCHIVE_RATIO_FROM, ARCHIVE_RATIO * packed_size)
        self.given = 0

    def read(self, size: int = -1) -> bytes:
        """The next bytes. Raises BadFile over the limits."""
        data = self.source.read(size if 0 <= size <= CHUNK else CHUNK)
        self.given += len(data)
        if self.given > ARCHIVE_BYTES:
            raise BadFile(f"holds more than {ARCHIVE_BYTES // 2**20} MiB")
        if self.given > self.most:
            raise BadFile(f"unpacks to more than {ARCHIVE_RATIO} times its size")
        return data


def tar_entries(stream: BinaryIO, suffixes: tuple[str, ...]) -> Iterator[Entry]:
    """The files in a tar.gz or tar.xz with one of the suffixes.

    Raises BadFile if the archive is broken or over its limits.
    """
    try:
        with tarfile.open(fileobj=_unpacked(stream), mode="r|") as archive:
            for count, member in enumerate(archive):
                if count >= ARCHIVE_ENTRIES:
                    raise BadFile(f"holds more than {ARCHIVE_ENTRIES:,} files")
                if member.isreg() and member.name.lower().endswith(suffixes) and not _is_hidden(member.name):
                    yield _member(archive, member)
    except BadFile:
        raise
    except DAMAGE as error:
        raise BadFile("is not a readable tar.gz or tar.xz archive") from error


def _unpacked(stream: BinaryIO) -> _Capped:
    size = stream.seek(0, 2)
    stream.seek(0)
    is_xz = stream.read(len(XZ)) == XZ
    stream.seek(0)
    return _Capped(_Unxz(stream) if is_xz else gzip.GzipFile(fileobj=stream), size)


def _member(archive: tarfile.TarFile, member: tarfile.TarInfo) -> Entry:
    if leads_out(member.name):
        return Entry(member.name, refused="has a path that leads outside the archive")
    if member.size > ENTRY_BYTES:
        return Entry(member.name, refused=f"is larger than {ENTRY_BYTES // 2**20} MiB")
    source = archive.extractfile(member)
    return Entry(member.name, source.read() if source else b"")
