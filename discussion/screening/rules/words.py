"""Clues: words of several families that stand near each other. One pass over the words, whatever the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from discussion.screening.rules.source_text import SourceText, fold

_WORD = re.compile(r"[^\W_]+(?:['@$][^\W_]+)*\$?")
_END = re.compile(r"[.!?;\n]+(?=\s|\Z)|\n")
_SPACED = re.compile(r"(?<!\w)[^\W_](?:[ .\-_*]{1,2}[^\W_]){3,}(?!\w)")
_DISGUISED = str.maketrans("013457@$", "oieastas")
LONGEST = 6  # words of an entry
KEPT = 3  # marks of a family that are tried, the latest first
SENTENCE_GAP = 40  # words by which a sentence is set off from the next


@dataclass(frozen=True)
class Mark:
    """An entry of a family found in the text: its words by number, its characters by place."""

    first: int
    last: int
    start: int
    end: int


Marks = Mapping[str, list[Mark]]
Entry = tuple[tuple[str, ...], str]  # its words and its family


@dataclass(frozen=True)
class Clue:
    """Families that must all stand within some words of each other in a sentence, and those that must not be near.

    ``ordered`` asks for the order given, each at most ``within`` words after the one before. More than SENTENCE_GAP
    words let a clue go on into the next sentence. ``around`` says how near the families of ``unless`` count.
    """

    families: tuple[str, ...]
    within: int = 0
    ordered: bool = False
    unless: tuple[str, ...] = ()
    around: int = 4


class Lexicon:
    """Families of words and phrases. A first word ending in * stands for all words that begin so."""

    def __init__(self, families: Mapping[str, str]) -> None:
        """``families`` gives for each name its entries, parted by commas."""
        self.first: dict[str, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
        for family, entries in families.items():
            for entry in entries.split(","):
                words = tuple(fold(entry).split())
                if words:
                    self.first[words[0]]["" if len(words) == 1 else words[1]].append((words, family))
        self.known = frozenset(word for word, seconds in self.first.items() if "" in seconds)
        self._by_head: dict[str, list[str]] = defaultdict(list)
        for word in self.first:
            if word.endswith("*"):
                self._by_head[word[:3]].append(word)

    def keys(self, word: str) -> Iterator[str]:
        """The first words of entries that a word of a text may be."""
        if word in self.first:
            yield word
        for prefix in (*self._by_head.get(word[:3], ()), *self._by_head.get(f"{word[:2]}*", ())):
            if word.startswith(prefix[:-1]):
                yield prefix

    def marks(self, words: Sentences) -> Marks:
        """Every entry found in the words of a text, by family."""
        found: dict[str, list[Mark]] = defaultdict(list)
        tokens = words.tokens
        for number, token in enumerate(tokens):
            following = tokens[number + 1].word if number + 1 < len(tokens) else ""
            for entry, family in self._beginning(token.word, following):
                last = number + len(entry) - 1
                if last < len(tokens) and _same(entry, tokens, number):
                    found[family].append(Mark(token.number, tokens[last].number, token.start, tokens[last].end))
        return found

    def _beginning(self, word: str, following: str) -> Iterator[Entry]:
        """The entries that may begin with these two words."""
        for key in self.keys(word):
            seconds = self.first[key]
            yield from seconds.get("", ())
            if following:
                yield from seconds.get(following, ())


def _same(entry: tuple[str, ...], tokens: list[Token], number: int) -> bool:
    """Whether the words from this one on are the entry's."""
    return all(tokens[number + offset].word == wanted for offset, wanted in enumerate(entry[1:], 1))


@dataclass(frozen=True)
class Token:
    """A word of the text. Its ``number`` jumps at the end of a sentence."""

    word: str
    number: int
    start: int
    end: int


class Sentences:
    """The words of a text, with words that were spaced out or written with digits put right."""

    def __init__(self, source: SourceText, known: Iterable[str]) -> None:
        """``known`` are the words that a disguised one may turn out to be."""
        self.source = source
        self.known = frozenset(known)

    @cached_property
    def tokens(self) -> list[Token]:
        text = self.source.plain
        ends = [match.start() for match in _END.finditer(text)]
        spaced = self._spaced(text)
        found: list[Token] = []
        sentence = skip_to = at = 0
        for match in _WORD.finditer(text):
            start, end = match.span()
            if start < skip_to:
                continue
            word = match[0]
            if start in spaced:
                word, end = spaced[start]
                skip_to = end
            while at < len(ends) and ends[at] <= start:
                at += 1
                sentence += 1
            number = len(found) + sentence * SENTENCE_GAP
            found.append(Token(self._undisguised(word), number, start, end))
        return found

    def _spaced(self, text: str) -> dict[int, tuple[str, int]]:
        """Words written with gaps between the letters, by where they begin."""
        joined = ((match, re.sub(r"[^\w]|_", "", match[0])) for match in _SPACED.finditer(text))
        return {match.start(): (word, match.end()) for match, word in joined if self._undisguised(word) in self.known}

    def _undisguised(self, word: str) -> str:
        """The word with digits and signs read as letters, where that makes a known one."""
        if word.isalpha() or word.isdigit() or word in self.known:
            return word
        plain = word.translate(_DISGUISED)
        return plain if plain in self.known else word


def matches(clue: Clue, marks: Marks) -> Iterator[Mark]:
    """Where a clue holds; matches do not overlap."""
    if not all(family in marks for family in clue.families):
        return
    search = _in_order if clue.ordered else _together
    done = -1
    for found in search(clue, _merged(clue, marks)):
        if found.first > done and not _near(clue, found, marks):
            done = found.last
            yield found


def _merged(clue: Clue, marks: Marks) -> list[tuple[Mark, int]]:
    """The marks of the clue's families in the order of the text, each with the number of its family."""
    pairs = [(mark, n) for n, family in enumerate(clue.families) for mark in marks[family]]
    return sorted(pairs, key=lambda pair: (pair[0].start, pair[0].end))


def _together(clue: Clue, pairs: list[tuple[Mark, int]]) -> Iterator[Mark]:
    """All families, in any order, within the clue's number of words; no word counts for two families."""
    latest = [deque[Mark](maxlen=KEPT) for _ in clue.families]
    for mark, family in pairs:
        latest[family].append(mark)
        used = [mark]
        for n, marks in enumerate(latest):
            if n != family:
                free = (m for m in reversed(marks) if all(m.end <= u.start or u.end <= m.start for u in used))
                used.extend(islice(free, 1))
        used.sort(key=_first)
        if len(used) == len(clue.families) and (len(used) == 1 or used[-1].first - used[0].last <= clue.within):
            yield Mark(used[0].first, used[-1].last, used[0].start, max(each.end for each in used))


def _in_order(clue: Clue, pairs: list[tuple[Mark, int]]) -> Iterator[Mark]:
    """All families in the order given, each at most ``within`` words after the one before."""
    begun = [deque[tuple[Mark, Mark]](maxlen=KEPT) for _ in clue.families]
    for mark, family in pairs:
        if family == 0:
            begun[0].append((mark, mark))
            continue
        before = (
            chain
            for chain in reversed(begun[family - 1])
            if chain[1].end <= mark.start and mark.first - chain[1].last <= clue.within
        )
        for first, _ in islice(before, 1):
            begun[family].append((first, mark))
            if family == len(clue.families) - 1:
                yield Mark(first.first, mark.last, first.start, mark.end)


def _near(clue: Clue, found: Mark, marks: Marks) -> bool:
    """Whether a family that speaks against the clue stands in or around it; beyond a sentence, around its ends."""
    if found.last - found.first <= SENTENCE_GAP:
        windows = [(found.first - clue.around, found.last + clue.around)]
    else:
        windows = [(place - clue.around, place + clue.around) for place in (found.first, found.last)]
    return any(_stands_in(window, marks.get(family, [])) for family in clue.unless for window in windows)


def _stands_in(window: tuple[int, int], there: list[Mark]) -> bool:
    """Whether a mark lies in or reaches into these words."""
    earliest, latest = window
    for n in range(bisect_left(there, earliest - LONGEST, key=_first), len(there)):
        if there[n].first > latest:
            break
        if there[n].last >= earliest:
            return True
    return False


def _first(mark: Mark) -> int:
    return mark.first
