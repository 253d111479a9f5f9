"""Text for comparison by rules: words, normal form, roots, sentences. Code isn't prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

FENCED = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)", re.S)
CODE = re.compile(rf"{FENCED.pattern}|(`+)(?!`).+?\2", re.S)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n\s*\n|\n\s*[-*]\s")
ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "ed", "es", "s", "ly", "e", "y")
# Words that don't identify an option.
COMMON = frozenset(
    """a about above after again against all also am an and another any are as at be because been before being below
    between both but by can could did do does doing done down during each either every few for from further get had
    has have having he her here him his how however i if in instead into is it its itself just let made make many may
    me might more most must my no nor not now of off on once one only or other our out over own per rather same she
    should so some still such take than that the their them then there these they this those through to too two
    under until up upon use used using very via was we were what when where whether which while who whom why will with
    within without would you your""".split()  # noqa: SIM905
)


def words(text: str) -> int:
    """The number of words, as a reader counts them."""
    return len(text.split())


# Rules read the same texts of a question one after another, and each pair of them twice. The cache isn't meant for a
# whole bank.
@lru_cache(maxsize=512)
def normal(text: str) -> str:
    """Text for comparing: lower case, words only."""
    return " ".join(re.findall(r"\w+", text.lower()))


def without_code(text: str) -> str:
    """The text without code, so that code isn't read as prose."""
    return CODE.sub(" ", text) if "`" in text or "~~~" in text else text


def parts(text: str) -> Iterator[str]:
    """The sentences of a text; list items count separately."""
    return (part for part in SENTENCE_END.split(text) if part.strip())


# Rules compare every question with every other: each word of the bank is asked for again and again.
@lru_cache(maxsize=50_000)
def root(word: str) -> str:
    """A word without its ending, roughly: enough to match two forms of it."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=512)
def roots(text: str) -> frozenset[str]:
    """The roots of a text's content words, including code."""
    found = re.findall(r"[^\W_]+", text.lower())
    return frozenset(root(word) for word in found if word not in COMMON and (len(word) > 1 or word.isdigit()))
