"""Bytes to numbered lines: UTF-8 with or without a BOM, else the likeliest encoding (encoding/guessing.py)."""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from questions.formats.rules.items import BadFile
from questions.formats.rules.limits import FILE_BYTES
from questions.formats.rules.reading.encoding.guessing import likely_encodings, marked_encoding, sample_of

Line = tuple[int, str]
CHUNK = 1 << 16
START = 1 << 10
DECLARED = re.compile(rb"""^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
# Encodings an XML file may name besides UTF-8 and UTF-16; others are ignored.
XML_ENCODINGS = {"iso8859-1", "iso8859-2", "iso8859-15", "cp1250", "cp1251", "cp1252", "ascii", "koi8-r", "mac-roman"}
XML_ENCODINGS |= {"shift_jis", "cp932", "euc_jp", "gb2312", "gbk", "gb18030", "big5", "euc_kr", "cp949"}


def lines_of(stream: BinaryIO, *, xml: bool = False) -> Iterator[Line]:
    """The lines with their numbers, from 1, each with its line break. Reads twice: once to know the encoding."""
    encoding = encoding_of(stream, xml=xml)
    stream.seek(0)
    text = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline=None)
    try:
        yield from enumerate(text, start=1)
    finally:
        if not stream.closed:  # raised by code that stopped reading on an error
            text.detach()


def encoding_of(stream: BinaryIO, *, xml: bool = False) -> str:
    """The text's encoding: what it declares, else by its bytes. Raises BadFile."""
    return encodings_of(stream, xml=xml)[0]


def encodings_of(stream: BinaryIO, *, xml: bool = False) -> list[str]:
    """The text's encoding, then others that its bytes suit nearly as well. Raises BadFile."""
    declared = xml_encoding(stream) if xml else ""
    return [declared] if declared else text_encodings(stream)


def text_of(stream: BinaryIO) -> str:
    """The whole text, for formats that can't be read in parts."""
    return "".join(line for _, line in lines_of(stream))


def text_encodings(stream: BinaryIO) -> list[str]:
    """By BOM, or UTF-8 if valid, else the likeliest. Raises BadFile."""
    stream.seek(0)
    if marked := marked_encoding(stream.read(START)):
        return [marked]
    stream.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    size = 0
    valid = True
    while chunk := stream.read(CHUNK):
        size += len(chunk)
        if size > FILE_BYTES:
            raise BadFile(f"is larger than {FILE_BYTES // 2**20} MiB")
        valid = valid and _decodes(decoder, chunk)
    is_utf_8 = valid and _decodes(decoder, b"", final=True)
    return ["utf-8-sig"] if is_utf_8 else likely_encodings(sample_of(stream))


def _decodes(decoder: codecs.IncrementalDecoder, chunk: bytes, *, final: bool = False) -> bool:
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def xml_encoding(stream: BinaryIO) -> str:
    """What an XML file declares (XML 1.0, section 4.3.3): a BOM or a declaration; "" leaves it to the bytes."""
    stream.seek(0)
    start = stream.read(200)
    if marked := marked_encoding(start):
        return marked
    declared = DECLARED.match(start)
    if declared is None:
        return ""
    try:
        name = codecs.lookup(declared.group(1).decode("ascii")).name
    except LookupError:
        return ""
    return name if name in XML_ENCODINGS else ""
