"""The probe's features of an option: its surface, relative to the question's other options."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from questions.bank_files.readings.rules.items import Item
from questions.lint.rules.options.form import ABSOLUTE
from questions.lint.rules.wording import CODE, roots, without_code, words

Matrix = NDArray[np.float64]
HEDGE = re.compile(
    r"\b(?:can|could|may|might|usually|often|typically|generally|likely|mostly|some|about|up to)\b", re.I
)
NUMBER = re.compile(r"\d+(?:[.,]\d+)*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|twice)\b", re.I)
NEGATION = re.compile(r"\b(?:not|no|without|never|instead|rather|skip|disable|remove|drop)\b|n't\b", re.I)
REASON = re.compile(r"\b(?:so that|because|since|in order to|to (?:ensure|avoid|keep|reduce))\b", re.I)
JOINT = re.compile(r",|;|\b(?:and|then|with)\b", re.I)
PROPER = re.compile(r"(?<!\A)(?<![.!?] )\b[A-Z]\w+")


def _count(pattern: re.Pattern[str]) -> Callable[[Sequence[str], str], list[float]]:
    def count(texts: Sequence[str], stem: str) -> list[float]:
        return [float(len(pattern.findall(without_code(text)))) for text in texts]

    return count


def _length(texts: Sequence[str], stem: str) -> list[float]:
    mean = sum(map(words, texts)) / len(texts)
    return [words(text) / max(1.0, mean) for text in texts]


def _length_rank(texts: Sequence[str], stem: str) -> list[float]:
    lengths = [len(text) for text in texts]
    return [sum(other < own for other in lengths) / (len(texts) - 1) for own in lengths]


def _longest(texts: Sequence[str], stem: str) -> list[float]:
    return [float(len(text) == max(map(len, texts))) for text in texts]


def _shortest(texts: Sequence[str], stem: str) -> list[float]:
    return [float(len(text) == min(map(len, texts))) for text in texts]


def _stem_overlap(texts: Sequence[str], stem: str) -> list[float]:
    said = roots(stem)
    return [len(roots(text) & said) / max(1, len(roots(text))) for text in texts]


def _verb(texts: Sequence[str], stem: str) -> list[float]:
    """How many of the other options start with the same word."""
    begins = [text.lstrip("`*“\"'").split(" ", 1)[0].lower() for text in texts]
    return [float(begins.count(word) - 1) for word in begins]


def _code(texts: Sequence[str], stem: str) -> list[float]:
    return [float(len(CODE.findall(text))) for text in texts]


def _likeness(texts: Sequence[str], stem: str) -> list[float]:
    """The mean similarity to the other options: shared word roots among all."""
    each = [roots(text) for text in texts]
    return [
        sum(len(one & two) / max(1, len(one | two)) for j, two in enumerate(each) if j != i) / (len(each) - 1)
        for i, one in enumerate(each)
    ]


# Each takes the options' texts and the stem, and returns a number per option. docs/writing-questions.md lists them.
FEATURES: dict[str, Callable[[Sequence[str], str], list[float]]] = {
    "length": _length,
    "length rank": _length_rank,
    "longest": _longest,
    "shortest": _shortest,
    "overlap with the stem": _stem_overlap,
    "verb shared": _verb,
    "hedges": _count(HEDGE),
    "numbers": _count(NUMBER),
    "code": _code,
    "absolutes": _count(ABSOLUTE),
    "negations": _count(NEGATION),
    "reasons": _count(REASON),
    "parts": _count(JOINT),
    "proper names": _count(PROPER),
    "likeness to the others": _likeness,
}


def features_of(item: Item) -> Matrix:
    """A row per option, a column per feature, centred within the question."""
    texts = [text for _, text in item.options]
    table = np.array([feature(texts, item.stem) for feature in FEATURES.values()]).T
    centred: Matrix = table - table.mean(axis=0)
    return centred
