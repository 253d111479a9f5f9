"""Which encoding a text has if it isn't UTF-8 and doesn't say: by its BOM, else by what gives the likeliest words.

Each candidate's reading is compared with what languages look like (languages.py): Chinese read as Korean has rare
characters, Polish read as French has letters of several languages.
"""

from __future__ import annotations

import codecs
import dataclasses
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from questions.formats.rules.items import Found, Item
from questions.formats.rules.reading.encoding.languages import look

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose BOM it starts with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
EUROPEAN = ("cp1252", "mac_roman", "cp1250")
CYRILLIC = ("cp1251", "koi8_r")
CANDIDATES = (*EUROPEAN, *CYRILLIC, "cp932", "euc_jp", "gb18030", "big5", "cp949")
CLOSE, CLOSE_IF_SHORT, SHORT = 0.2, 0.4, 12
"""How close a reading's score must be to the best one's to be a possibility; a text with fewer special bytes than SHORT
is short."""
TITLES = {
    "cp1252": "windows-1252",
    "mac_roman": "Mac Roman",
    "cp1250": "windows-1250",
    "cp1251": "windows-1251",
    "koi8_r": "KOI8-R",
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GBK",
    "big5": "Big5",
    "cp949": "EUC-KR",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
}
FEW = 20  # valid characters for each broken one, above which a text is damaged UTF-8
SAMPLE = 16 * 1024
"""Enough words to tell encodings apart; reading all of a large file would take seconds and give the same result."""


def marked_encoding(start: bytes) -> str:
    """The encoding indicated by a file's BOM, or UTF-16 without one; "" if there is no indication.

    ASCII in UTF-16 has zeros, which no other text has; in UTF-16, non-text reads as letters nobody would write.
    """
    for mark, name in MARKS:
        if start.startswith(mark):
            return name
    if b"\0" not in start:
        return ""
    return next((name for name in ("utf-16-le", "utf-16-be") if is_text(start.decode(name, "ignore"))), "")


def is_text(text: str) -> bool:
    """Whether every character is one that somebody could have written."""
    return all(char.isprintable() or char in "\t\r\n\f\u3000\xa0\xad\ufeff" for char in text)


def likely_encodings(sample: bytes) -> list[str]:
    """The likeliest encoding, then those in which the lines read differently and nearly as well."""
    text = sample.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if sum(char > "\x7f" for char in text) - broken >= FEW * broken:
        return ["utf-8"]
    readings = {name: sample.decode(name, "replace") for name in CANDIDATES}
    looks = {name: look(text, name) for name, text in readings.items()}
    first, *others = sorted(CANDIDATES, key=lambda name: -looks[name])
    least = looks[first] - (CLOSE_IF_SHORT if sum(byte > 0x7F for byte in sample) < SHORT else CLOSE)
    return [first, *(name for name in others if looks[name] > least and readings[name] != readings[first])]


def sample_of(stream: BinaryIO) -> bytes:
    """Lines with non-ASCII bytes, enough to tell the encoding."""
    stream.seek(0)
    sample = bytearray()
    for line in stream:
        if not line.isascii():
            sample += line[:SAMPLE]
        if len(sample) > SAMPLE:
            break
    return bytes(sample)


def with_note(found: Iterable[Found], encodings: list[str]) -> Iterator[Found]:
    """What was found, with a warning about the guessed encoding on the first item."""
    note = _note(*encodings) if encodings else ""
    for each in found:
        if note and isinstance(each, Item):
            yield dataclasses.replace(each, warnings=(note, *each.warnings))
            note = ""
        else:
            yield each


def _note(encoding: str, *others: str) -> str:
    if encoding == "utf-8":
        return "the file has bytes that aren’t UTF-8; they were replaced"
    if encoding not in TITLES:
        return ""
    doubt = f"; it could also be {' or '.join(TITLES[name] for name in others)}, so check the text" if others else ""
    return f"the file isn’t UTF-8 and was read as {TITLES[encoding]}{doubt}"
