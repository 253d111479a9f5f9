"""The relevant part of a text for a search, split into highlighted and other pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from questions.versions.rules.pieces import Piece
from questions.versions.search.rules.asking import WORD, terms_of

LENGTH = 200
"""Two or three lines on a phone, so that a page of hits can be scanned."""
BEFORE = 60
"""Some ten words, so that a hit has some context before it."""
MOST_MARKS = 100  # how many hits in a text are compared to find the best excerpt
ENDINGS = re.compile(r"(?:ings?|ed)$")
DOUBLED = re.compile(r"([bdfgmnprt])\1$")  # as in logging, planned
LEAST_STEM = 3
LEAST_BEFORE_ION = 5  # prediction comes from predict, but station not from stat
# Markdown symbols, which excerpts leave out.
SIGNS = re.compile(r"[*_`#>|]+")


def excerpt(text: str, asked: str, length: int = LENGTH) -> list[Piece]:
    """About ``length`` characters where most of the search words are close together, each highlighted, in any form.

    If the text contains none, because the title matched, the excerpt is its beginning.
    """
    plain = " ".join(SIGNS.sub(" ", text).split())
    stems = stems_asked(asked)
    best = _densest(plain, stems, length - BEFORE)
    start = _word_start(plain, max(0, best - BEFORE)) if best else 0
    end = _word_end(plain, start + length)
    pieces, at = ([Piece("… ")] if start else []), start
    for found in _marks(plain, stems, start, end):
        pieces += [Piece(plain[at : found.start()]), Piece(found.group(), is_marked=True)]
        at = found.end()
    pieces.append(Piece(plain[at:end] + (" …" if end < len(plain) else "")))
    return [piece for piece in pieces if piece.text]


def says_all(text: str, asked: str) -> bool:
    """Whether the text contains every search word, in some form."""
    return stems_asked(asked) <= {stem(word) for word in WORD.findall(text)}


def is_marked(pieces: list[Piece]) -> bool:
    return any(piece.is_marked for piece in pieces)


def stems_asked(asked: str) -> frozenset[str]:
    """The stems of the search words; excluded ones aren't highlighted."""
    return frozenset(stem(word) for term in terms_of(asked) if not term.is_excluded for word in term.words)


# A page of hits stems thousands of words, mostly the same few hundred.
@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """What a word's forms have in common: close enough to the databases' stems to highlight what they found."""
    found = word.lower()
    if found.endswith("s") and not found.endswith(("ss", "us")) and len(found) > LEAST_STEM:
        found = found[:-1]
    shorter = DOUBLED.sub(r"\1", ENDINGS.sub("", found))
    found = shorter if len(shorter) >= LEAST_STEM else found
    if found.endswith(("sion", "tion")) and len(found) >= LEAST_BEFORE_ION + len("ion"):
        found = found[:-3]
    if len(found) > LEAST_STEM and found[-1] in "ey":
        found = found[:-1]
    return found.removesuffix("i") if len(found) > LEAST_STEM else found


def _densest(text: str, stems: frozenset[str], length: int) -> int:
    """Where the densest stretch starts; the first of several, 0 if no word is in the text."""
    marks = [(found.start(), stem(found.group())) for found in islice(_marks(text, stems, 0, len(text)), MOST_MARKS)]
    said = [
        (len({word for at, word in marks[place:] if at < start + length}), -start)
        for place, (start, _) in enumerate(marks)
    ]
    return -max(said)[1] if said else 0


def _marks(text: str, stems: frozenset[str], start: int, end: int) -> Iterator[re.Match[str]]:
    return (found for found in WORD.finditer(text, start, end) if stem(found.group()) in stems)


def _word_start(text: str, at: int) -> int:
    """The start of the first whole word from here on."""
    return at if at == 0 else text.find(" ", at) + 1


def _word_end(text: str, at: int) -> int:
    """The end of the last whole word up to here."""
    return len(text) if at >= len(text) else max(text.rfind(" ", 0, at), 0) or at
