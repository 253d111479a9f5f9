"""The part of a text that a search was about, cut into what is marked and what is not."""

from __future__ import annotations

import re
from dataclasses import dataclass

LENGTH = 200
BEFORE = 60
ENDINGS = re.compile(r"(?:ings?|ed|es|s)$")
DOUBLED = re.compile(r"([bdgmnprt])\1$")  # logging, planned
LEAST_STEM = 3
# Signs of Markdown, which an excerpt shows none of.
SIGNS = re.compile(r"[*_`#>|]+")


@dataclass(frozen=True)
class Piece:
    text: str
    is_marked: bool = False


def excerpt(text: str, asked: str, length: int = LENGTH) -> list[Piece]:
    """About ``length`` characters around the first word that was asked for, each of them marked, in any form of it.

    Where none stands in the text, because a title said it, the excerpt is its beginning.
    """
    plain = " ".join(SIGNS.sub(" ", text).split())
    pattern = _pattern(asked)
    first = pattern.search(plain) if pattern else None
    start = _word_start(plain, max(0, first.start() - BEFORE)) if first else 0
    end = _word_end(plain, start + length)
    pieces, at = ([Piece("… ")] if start else []), start
    for found in pattern.finditer(plain, start, end) if pattern else ():
        pieces += [Piece(plain[at : found.start()]), Piece(found.group(), is_marked=True)]
        at = found.end()
    pieces.append(Piece(plain[at:end] + (" …" if end < len(plain) else "")))
    return [piece for piece in pieces if piece.text]


def _pattern(asked: str) -> re.Pattern[str] | None:
    """The words asked for, in any form, where a word begins; what a minus leaves out is not marked."""
    words = [word for part in asked.split() if not part.startswith("-") for word in re.findall(r"\w+", part)]
    stems = {_stem(word) for word in words}
    if not stems:
        return None
    any_of = "|".join(re.escape(stem) for stem in sorted(stems, key=len, reverse=True))
    return re.compile(rf"\b(?:{any_of})\w*", re.IGNORECASE)


def _stem(word: str) -> str:
    stem = DOUBLED.sub(r"\1", ENDINGS.sub("", word))
    return stem if len(stem) >= LEAST_STEM else word


def _word_start(text: str, at: int) -> int:
    """The beginning of the first whole word from here on."""
    return at if at == 0 else text.find(" ", at) + 1


def _word_end(text: str, at: int) -> int:
    """The end of the last whole word up to here."""
    return len(text) if at >= len(text) else max(text.rfind(" ", 0, at), 0) or at
