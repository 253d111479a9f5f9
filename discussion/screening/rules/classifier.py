"""Whether a text resembles those moderators removed: words and parts of words, each with a weight.

The weights are from a logistic regression (`manage.py train_screening`), stored as plain numbers. A high score is a
reason to hold a text; a low one isn't a reason to publish it.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from pathlib import Path

from discussion.screening.rules.parts import LIKELY_HARM, Hit, Model
from discussion.screening.rules.text import Source

SHIPPED = Path(__file__).parent.parent / "data" / "weights.json"
SIZE = 2**15
"""Features are hashed, so this is the number of weights, however many words there are."""
UNIT = 1000
"""Weights are stored in thousandths, as integers."""
LEAST = 25
"""About three words have as many; a shorter text counts as having this many, so its score isn’t more confident."""
EVIDENCE = 3
"""The words that weighed most. A moderator who sees ten marked words reads the whole text anyway."""
_TOKEN = re.compile(
    r"(?P<address>h..ps?://|www\.|\.(?:example|com|net|org|io|info|shop)\b)"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{1,63})"
    r"|(?P<handle>(?<!\w)@\w{3,40})|(?P<phone>\+\d[\d \-()]{7,}\d)"
    r"|(?P<money>[$€£₹]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£₹]|(?:usd|eur|euros?|dollars?|bucks|rupees|reais)\b))"
    r"|(?P<share>\d[\d.,]*\s?%)|(?P<number>(?<!\w)\d[\d.,]*)|(?P<word>[^\W_]+)|(?P<mark>[!?]{1,4})"
)


@dataclass(frozen=True)
class Token:
    text: str
    start: int
    end: int

    def pieces(self) -> Iterator[str]:
        """The word itself, and its runs of three to five letters, which capture endings and misspellings."""
        padded = f" {self.text} "
        yield f"w{self.text}"
        if not self.text.startswith("<"):
            yield from (f"c{padded[n : n + size]}" for size in (3, 4, 5) for n in range(len(padded) - size + 1))


@lru_cache(maxsize=2)
def load(path: Path) -> Model:
    """The weights in a file written by `train_screening`, read once."""
    kept = json.loads(path.read_text())
    thresholds = {True: kept["new"], False: kept["known"]}
    return Model(kept["bias"], thresholds, tuple(each / UNIT for each in kept["weights"]))


def shipped() -> Model:
    """The weights in the repository."""
    return load(SHIPPED)


def tokens(plain: str) -> list[Token]:
    """Words, with placeholders for things such as sums of money. Links are left to other rules."""
    found = (match for match in _TOKEN.finditer(plain) if match.lastgroup != "address")
    return [Token(m[0] if m.lastgroup in ("word", "mark") else f"<{m.lastgroup}>", *m.span()) for m in found]


def features(words: list[Token]) -> set[int]:
    """A text's hashed features: its words, their parts, and word pairs."""
    found = {_hash(piece) for word in words for piece in word.pieces()}
    return found | {_hash(f"b{a.text} {b.text}") for a, b in pairwise(words)}


def _hash(feature: str) -> int:
    return zlib.crc32(feature.encode()) % SIZE


def share(count: int) -> float:
    """The weight of each of this many features."""
    return 1 / sqrt(max(count, LEAST))


def score(words: list[Token], model: Model) -> float:
    """The log odds that a moderator would remove it."""
    found = features(words)
    return model.bias + sum(model.weights[each] for each in found) * share(len(found))


def likely_harm(source: Source, model: Model, *, closely: bool) -> Iterator[Hit]:
    """The words with the most weight, if the whole is above the threshold for such authors."""
    words = tokens(source.plain)
    if not words or score(words, model) <= model.thresholds[closely]:
        return
    once = {word.text: word for word in words}
    weight = {text: sum(model.weights[_hash(piece)] for piece in word.pieces()) for text, word in once.items()}
    for word in sorted(words, key=lambda word: weight[word.text], reverse=True)[:EVIDENCE]:
        yield source.hit(LIKELY_HARM, word.start, word.end)
