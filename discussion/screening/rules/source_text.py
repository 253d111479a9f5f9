"""A text as the rules read it: plain small letters, with the way back to the characters as they were written.

Compatibility forms, accents, invisible characters and letters borrowed from other alphabets are undone, so that a
disguised word is found like a plain one. Every character of the result knows which character it came from.
"""

# ruff: noqa: RUF001 (letters and signs of other scripts)

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff"
)
_UNSEEN = re.compile(f"[{INVISIBLE}]")
_CODE = re.compile(r"```[^`]*(?:```|\Z)|`[^`\n]+`")
_WORD = re.compile(r"[^\W\d_]+")
# Letters that pass for a Latin one: Cyrillic, Greek, Armenian, then small capitals and other shapes.
_PASSING = (
    "аa вb еe ѕs іi јj кk мm нh оo рp сc тt уy хx ԁd ԛq ԝw һh ӏl ѵv гr ьb зe"
    " αa βb εe ζz ηn ιi κk μu νv οo ρp τt υu χx ωw γy σo"
    " սu օo ոn հh ցg զq ѡw"
    " ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ɑa ɡg ǝe ɐa ɔc"
)
PASSING = str.maketrans({pair[0]: pair[1] for pair in _PASSING.split()})
_ALWAYS = {"ı": "i", "ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "’": "'", "‘": "'", "´": "'"}
_ALWAYS |= {"–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "，": ",", "。": ".", "｡": ".", "·": "."}
LATIN = re.compile(r"[a-zªºß-öø-ɏ]")
_PASSES = re.compile("[" + "".join(chr(each) for each in PASSING) + "]")


@lru_cache(maxsize=20_000)
def plain(character: str) -> str:
    """One character in its plain form: small, without accents, in one of a few alphabets; nothing if it is unseen."""
    if _UNSEEN.match(character):
        return ""
    if character in "\n\r\u2028\u2029\u0085":
        return "\n"
    if character.isspace():
        return " "
    small = unicodedata.normalize("NFKC", character).lower()
    if not "\uac00" <= character <= "\ud7a3":
        small = unicodedata.normalize("NFKD", small)
    kept = (each for each in small if unicodedata.category(each) not in ("Mn", "Me", "Cf"))
    return "".join(_ALWAYS.get(each, each) for each in kept)


def passes_for_latin(word: str) -> bool:
    """Whether a small-letter word is Latin but for letters that only look so."""
    if word.isascii() or not _PASSES.search(word):
        return False
    return all(LATIN.match(each) or _PASSES.match(each) for each in word)


def fold(text: str) -> str:
    """The plain form of a short text, such as an entry of the lexicon."""
    return "".join(plain(each) for each in text)


@dataclass(frozen=True)
class SourceText:
    """A text as written (``original``) and in plain form, with the place each plain character came from."""

    original: str
    plain: str
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that a span of the plain form stands for."""
        if start >= end:
            return (0, 0)
        return self.places[start], self.places[end - 1] + 1

    def written(self, start: int, end: int) -> str:
        """The original characters of a span of the plain form."""
        first, last = self.span(start, end)
        return self.original[first:last]

    @cached_property
    def code(self) -> tuple[tuple[int, int], ...]:
        """The spans of the plain form that stand between backticks."""
        return tuple(match.span() for match in _CODE.finditer(self.plain))

    @cached_property
    def in_code(self) -> bytes:
        """For each plain character, 1 where it is code."""
        marks = bytearray(len(self.plain))
        for start, end in self.code:
            marks[start:end] = b"\x01" * (end - start)
        return bytes(marks)

    @cached_property
    def prose(self) -> str:
        """The plain form with code blanked out, of the same length."""
        return "".join(_blanked(self.plain, self.code))


def _blanked(text: str, spans: tuple[tuple[int, int], ...]) -> Iterator[str]:
    done = 0
    for start, end in spans:
        yield text[done:start]
        yield " " * (end - start)
        done = end
    yield text[done:]


def read(text: str) -> SourceText:
    if text.isascii():
        small = text.lower().replace("\r", "\n").replace("\t", " ")
        return SourceText(text, small, tuple(range(len(text))))
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for each in plain(character):
            letters.append(each)
            places.append(place)
    return SourceText(text, _in_one_alphabet("".join(letters)), tuple(places))


def _in_one_alphabet(small: str) -> str:
    """Words that mix alphabets, and such words of look-alike letters alone as stand in a Latin text, made Latin."""
    latin = sum(1 for each in small if LATIN.match(each))
    letters = sum(1 for each in small if each.isalpha())
    mostly_latin = latin * 2 > letters

    def one(match: re.Match[str]) -> str:
        word = match[0]
        if passes_for_latin(word) and (LATIN.search(word) or (mostly_latin and len(word) > 2)):
            return word.translate(PASSING)
        return word

    return _WORD.sub(one, small)
