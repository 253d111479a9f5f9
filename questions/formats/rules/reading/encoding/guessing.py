"""Which encoding a text has if it isn't UTF-8 and doesn't say: by its BOM, else by what gives the likeliest words.

charset-normalizer distinguishes writing systems. It is often wrong among European encodings, which differ in a few
bytes; there we choose the one whose characters are where letters and punctuation of these languages would be.
"""

from __future__ import annotations

import codecs
import dataclasses
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from questions.formats.rules.items import Found, Item

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose BOM it starts with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
EUROPEAN = ("cp1252", "mac_roman", "cp1250")
CYRILLIC = ("cp1251", "koi8_r")
CANDIDATES = [*EUROPEAN, *CYRILLIC, "cp932", "gb18030", "big5", "cp949"]
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
FEW = 20  # valid characters per broken one, above which a text is damaged UTF-8
SAMPLE = 16 * 1024
"""Enough words to tell encodings apart by; all of a large file would take seconds and say the same."""
KANA = re.compile("[\u3041-\u30fa]")
# Letters of the languages written with these encodings, and common punctuation.
LETTERS = frozenset("àâäáãåçèéêëìíîïñòóôöõùúûüÿßœæøÀÂÄÁÃÅÇÈÉÊËÌÍÎÏÑÒÓÔÖÕÙÚÛÜŒÆØ")
LETTERS |= frozenset("ąćęłńśźżčďěňřšťůžőűýĄĆĘŁŃŚŹŻČĎĚŇŘŠŤŮŽŐŰÝ")
SIGNS = frozenset("¿¡«»‘’“”„–—…€£°§·•™®©×÷²³½¼µ\xa0")  # noqa: RUF001
INSIDE = frozenset("’·\xad")  # characters that occur between two letters


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


def guessed_encoding(sample: bytes) -> str:
    """The likeliest encoding of lines that are not valid UTF-8."""
    text = sample.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    if sum(char > "\x7f" for char in text) - broken >= FEW * broken:
        return "utf-8"
    from charset_normalizer import from_bytes  # large, and few files need it

    if _is_euc_jp(sample):
        return "euc_jp"
    best = from_bytes(sample, cp_isolation=CANDIDATES).best()
    if best and (best.encoding in CYRILLIC or (best.encoding not in EUROPEAN and _is_in_runs(str(best)))):
        return best.encoding
    return min(EUROPEAN, key=lambda name: oddities(sample.decode(name, "replace")))


def _is_euc_jp(sample: bytes) -> bool:
    """Whether it reads as Japanese with kana; charset-normalizer takes it for Korean."""
    text = sample.decode("euc_jp", "replace")
    if text.count("\ufffd") > len(text) / 50:
        return False
    return len(KANA.findall(text)) > len(re.findall("[^\x00-\x7f]", text)) / 5


def _is_in_runs(text: str) -> bool:
    """Whether most non-ASCII characters are in runs, as in East Asian words, and not single letters."""
    runs = [len(run) for run in re.findall(r"[^\x00-\x7f]+", text)]
    return sum(size for size in runs if size > 1) > sum(runs) / 2


def oddities(text: str) -> int:
    """How many characters are where no Western European language has them."""
    around = zip(f" {text}", text, f"{text[1:]} ", strict=False)
    return sum(_is_odd(*each) for each in around if each[1] > "\x7f")


def _is_odd(before: str, char: str, after: str) -> bool:
    if char in LETTERS:
        return char.isupper() and before.islower()
    if char in SIGNS:
        return before.isalpha() and after.isalpha() and char not in INSIDE
    return unicodedata.category(char) != "Lu" or before.islower()


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


def with_note(found: Iterable[Found], encoding: str) -> Iterator[Found]:
    """What was found, with a warning about the guessed encoding on the first item."""
    note = f"the file isn’t UTF-8 and was read as {TITLES[encoding]}" if encoding in TITLES else ""
    if encoding == "utf-8":
        note = "the file has bytes that aren’t UTF-8; they were replaced"
    for each in found:
        if note and isinstance(each, Item):
            yield dataclasses.replace(each, warnings=(note, *each.warnings))
            note = ""
        else:
            yield each
