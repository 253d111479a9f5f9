"""Texts that aren't the author's own words: pasted questions, copies of other comments, repetition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from discussion.screening.rules.parts import NEAR_DUPLICATE, QUESTION_PASTE, REPETITION, Hit
from discussion.screening.rules.text import Source, read

_OPTION = re.compile(r"(?:^|\s)[>*\-•]{0,2}\s?[(\[]?([a-f1-6])[.):\]]\**\s{0,3}(?=[^\W_])|(?:^|\s)[□☐]\s?(?=\w)", re.M)
_ASKS = re.compile(
    r"\b(?:what|which|how|where)\b[^.\n]{0,160}\?|\bwhat should (?:you|they|the \w+|we)\b"
    r"|\b(?:choose|select) (?:two|three|2|3)\b"
    r"|\bwhich (?:of the following|two|three|option|approach|solution|service)\b|\bwas (?:sollten|soll)\b|\bwelche\b"
    r"|\bque (?:debe|deberia|opcion|clase|solucion)|\bquel(?:le)?s?\b[^.\n]{0,80}\?"
    r"|\bque recommandez|\bcual\b|\bqual\b|\bo que\b"
)
_SCENE = re.compile(
    r"\b(?:you(?:r)? (?:company|team|organi[sz]ation|manager|customer|client|are|work|need|have|want|must)\b"
    r"|(?:a|an|the) (?:\w+ ){0,3}(?:company|bank|retailer|hospital|platform|startup|airline|team|agency|chain)\b"
    r"|ein (?:unternehmen|team)|ihr (?:team|unternehmen)|una empresa|su (?:equipo|empresa)|une (?:entreprise|societe)"
    r"|votre (?:equipe|entreprise)|uma empresa|sua (?:equipe|empresa))"
)
_LABEL = re.compile(
    r"\b(?:(?:new )?question|frage|pregunta|pergunta|q)\s?#?:?\s?\d+\b"
    r"|\btopic \d+\b|\b(?:correct )?answers?\s?:\s?[a-f]\b|\breference:"
)
_OWN_VOICE = re.compile(
    r"\b(?:i|i'm|i'd|i've|my|me|anyone|someone|because|since|wrong|ich|weil|yo|porque|je|parce|option [a-f])\b"
)
_WORDS = re.compile(r"[぀-ヿ㐀-鿿가-힣]|[^\W_]+")
_QUOTED = re.compile(r"^\s{0,3}>[^\n]*$", re.M)
_REPEATED = re.compile(
    r"([^\W\d_])\1{9,}|([^\W\d_]{2,6})\2{4,}|(?<!\w)([^\W\d_]{1,30})(?:[\s,.!?-]{1,3}\3(?!\w)){3,}|([^\s\w#=\-_*~.`|+])\4{11,}"
)
_RUN, _ALIKE_STEM, _LONG = 4, 0.4, 30
"""Run length in words, the share of a stem's runs that a paste has, and the minimum words for comparison."""
_ALIKE, _FEWEST, _BARE = 0.55, 6, 25
"""The share of word pairs in a copy, its minimum words, and those of a scenario without options."""
_MANY, _FEW = 9, 0.34
"""From this many words on, a text with no larger share of distinct words is repetitive."""


def question_pastes(source: Source, stems: tuple[str, ...]) -> Iterator[Hit]:
    """A scenario that asks, with options or at its end; or most of a known stem."""
    text = source.prose
    if len(text) < 60:
        return
    options = list(_OPTION.finditer(text))
    labels = "".join(match[1] or "" for match in options)
    listed = any(run in labels for run in ("abc", "123")) or (labels == "" and len(options) > 2)
    before = text[: options[0].start()] if listed else text
    told = len(before.split()) >= 8 and bool(_SCENE.search(before) or _LABEL.search(text))
    asks = bool(_ASKS.search(text))
    bare = asks and len(text.split()) >= _BARE and bool(_SCENE.search(text)) and text.rstrip().endswith("?")
    is_question = (listed and (told or asks)) or bare or len(_LABEL.findall(text)) > 1
    mine = _runs(words) if len(words := words_of(text)) >= _LONG else frozenset()
    if (is_question and not _OWN_VOICE.search(text)) or (mine and any(_shares(mine, runs_of(stem)) for stem in stems)):
        yield source.hit(QUESTION_PASTE, 0, len(text))


def words_of(plain: str) -> list[str]:
    """A text's words in lower case; in scripts without spaces, its characters."""
    return _WORDS.findall(plain)


def _runs(words: list[str], length: int = _RUN) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[n : n + length]) for n in range(len(words) - length + 1))


@lru_cache(maxsize=2048)
def runs_of(stem: str) -> frozenset[tuple[str, ...]]:
    """All runs of four words in a stem, in plain form."""
    return _runs(words_of(read(stem).plain))


def _shares(mine: frozenset[tuple[str, ...]], theirs: frozenset[tuple[str, ...]], most: float = _ALIKE_STEM) -> bool:
    return bool(theirs) and len(mine & theirs) >= most * min(len(mine), len(theirs))


def near_duplicates(source: Source, recent: tuple[str, ...]) -> Iterator[Hit]:
    """The whole text, if it is nearly the same as a recent one. Quoted lines don't count."""
    mine = words_of(_QUOTED.sub("", source.plain))
    if len(mine) < 4:
        return
    runs = _runs(mine, 2)
    for other in recent:
        theirs = words_of(_QUOTED.sub("", read(other).plain))
        shorter, longer = sorted((len(mine), len(theirs)))
        alike = shorter >= _FEWEST and 2 * shorter >= longer and _shares(runs, _runs(theirs, 2), _ALIKE)
        if mine == theirs or alike:
            yield Hit(NEAR_DUPLICATE, 0, len(source.original))
            return


def repetitions(source: Source) -> Iterator[Hit]:
    """Few distinct words, a repeated letter or symbol, a part repeated within a word, a word four times."""
    words = re.findall(r"[^\W\d_]+", source.prose)
    if len(words) >= _MANY and len(set(words)) <= min(_FEW * len(words), 12):
        yield source.hit(REPETITION, 0, len(source.prose))
    for match in _REPEATED.finditer(source.prose):
        yield source.hit(REPETITION, *match.span())
