"""Texts that say what another text says, or the same again and again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from discussion.screening.rules.parts import NEAR_DUPLICATE, REPETITION, Hit
from discussion.screening.rules.source_text import SourceText, read

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\W_]+")
_QUOTED = re.compile(r"^\s{0,3}>[^\n]*$", re.M)
_LONG_WORD = re.compile(r"[^\W\d_]{12,}")
_STRETCH = re.compile(r"([^\W\d_])\1{11,}|([^\s\w#=\-_*~.`|+])(?:\s?\2){7,}")
_SAME_WORD = re.compile(r"(?<!\w)([^\W\d_]{1,30})(?:[\s,.!?-]{1,3}\1(?!\w)){3,}")
FEWEST_WORDS = 6  # of a text that is like another
FEWEST_SAME = 4  # of a text that is the same as another
SHINGLE = 2  # words in a row
ALIKE = 0.55  # of the shingles of the shorter text
LENGTHS = 0.5  # of the shorter text to the longer one
MANY, MOST = 16, 0.8  # shared shingles and share that tell a copy inside a longer text
REPEATED_WORDS, DIFFERENT = 9, 0.34
LONGEST_PERIOD = 6


def words_of(small: str) -> list[str]:
    """The words of a text in small letters; in scripts without spaces each character."""
    return _WORD.findall(small)


def near_duplicates(source: SourceText, recent: tuple[str, ...]) -> Iterator[Hit]:
    """The whole text, where it says in nearly the same words what a recent one says. Quoted lines do not count."""
    mine = words_of(_QUOTED.sub("", source.plain))
    if len(mine) < FEWEST_SAME:
        return
    for other in recent:
        theirs = words_of(_QUOTED.sub("", read(other).plain))
        if mine == theirs or _alike(mine, theirs):
            yield Hit(NEAR_DUPLICATE, 0, len(source.original))
            return


def _alike(mine: list[str], theirs: list[str]) -> bool:
    """Whether two texts share most of their pairs of words."""
    if min(len(mine), len(theirs)) < FEWEST_WORDS:
        return False
    a, b = _shingles(mine), _shingles(theirs)
    shared, shorter = len(a & b), min(len(a), len(b))
    near_in_length = shorter >= LENGTHS * max(len(a), len(b))
    return shared >= ALIKE * shorter and (near_in_length or (shared >= MANY and shared >= MOST * shorter))


def _shingles(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[n : n + SHINGLE]) for n in range(len(words) - SHINGLE + 1)}


def repetitions(source: SourceText) -> Iterator[Hit]:
    """Few different words in many, a long word made of a short piece, a stretched letter or sign."""
    found = list(re.finditer(r"[^\W\d_]+", source.prose))
    if (
        len(found) >= REPEATED_WORDS
        and len({match[0] for match in found}) <= DIFFERENT * len(found)
        and _is_short(found)
    ):
        yield Hit(REPETITION, *source.span(found[0].start(), found[-1].end()))
    for match in _SAME_WORD.finditer(source.prose):
        yield Hit(REPETITION, *source.span(*match.span()))
    for match in _LONG_WORD.finditer(source.prose):
        if any(
            match[0][period:] == match[0][:-period] for period in range(1, min(LONGEST_PERIOD, len(match[0]) // 3) + 1)
        ):
            yield Hit(REPETITION, *source.span(*match.span()))
    for match in _STRETCH.finditer(source.prose):
        yield Hit(REPETITION, *source.span(*match.span()))


def _is_short(found: list[re.Match[str]]) -> bool:
    """Whether the different words are few by themselves: a long text repeats its small words."""
    return len({match[0] for match in found}) <= 12 + len(found) // 20
