"""Whether an image file contains only its picture: no location, comment, profile, or bytes after its end.

Read from the files' own structure (PNG, W3C; JPEG, ITU T.81), not with a library that skips what it doesn't know.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

PNG_SIGN = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""How many values a pixel has, by the PNG's colour type."""
CHUNK = 1 << 20
PNG_PARTS = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND"}
JPEG_START, JPEG_END, JPEG_SCAN, JFIF = 0xD8, 0xD9, 0xDA, 0xE0
JPEG_PARTS = {0xC0, 0xC1, 0xC2, 0xC4, 0xDB, 0xDD, JPEG_SCAN, JFIF}
RESTARTS = range(0xD0, 0xD8)
JFIF_BYTES = 16  # without a thumbnail


def is_bare(content: bytes) -> bool:
    """True for a PNG or JPEG with nothing but what its picture needs."""
    return _bare_png(content) if content.startswith(PNG_SIGN) else _bare_jpeg(content)


def _bare_png(content: bytes) -> bool:
    at = len(PNG_SIGN)
    while at + 12 <= len(content):
        length, name = int.from_bytes(content[at : at + 4]), content[at + 4 : at + 8]
        if name not in PNG_PARTS:
            return False
        at += 12 + length
        if name == b"IEND":
            return at == len(content)
    return False


def has_tail(content: bytes) -> bool:
    """Whether bytes follow the compressed pixels of a bare PNG, or these are more than its rows need."""
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", content[16:29])
    row = (width * depth * CHANNELS.get(colours, 0) + 7) // 8 + 1
    unpacker, size = zlib.decompressobj(), 0
    data = b"".join(_pixels(content))
    while data and not unpacker.eof:
        size += len(unpacker.decompress(data, CHUNK))
        data = unpacker.unconsumed_tail
    return bool(unpacker.unused_data or data) or (not interlaced and size != row * height)


def _pixels(content: bytes) -> Iterator[bytes]:
    at = len(PNG_SIGN)
    while at + 12 <= len(content):
        length = int.from_bytes(content[at : at + 4])
        if content[at + 4 : at + 8] == b"IDAT":
            yield content[at + 8 : at + 8 + length]
        at += 12 + length


def _bare_jpeg(content: bytes) -> bool:
    if not content.startswith(bytes((0xFF, JPEG_START))):
        return False
    at = 2
    while at + 4 <= len(content) and content[at] == 0xFF:
        marker, length = content[at + 1], int.from_bytes(content[at + 2 : at + 4])
        if marker not in JPEG_PARTS or (marker == JFIF and length != JFIF_BYTES):
            return False
        at += 2 + length
        if marker == JPEG_SCAN:
            at = _scan_end(content, at)
        if content[at : at + 2] == bytes((0xFF, JPEG_END)):
            return at + 2 == len(content)
    return False


def _scan_end(content: bytes, at: int) -> int:
    """Where the next marker is: in scan data, FF is followed by 00 or by a restart number."""
    while (at := content.find(b"\xff", at)) >= 0:
        if at + 1 < len(content) and content[at + 1] != 0 and content[at + 1] not in RESTARTS:
            return at
        at += 2
    return len(content)
