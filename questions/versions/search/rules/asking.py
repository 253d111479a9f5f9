"""Search terms, translated for either database."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

MOST_TERMS = 8
"""Each is a condition the database checks. Anybody typing more has pasted a stem, which the first few words find."""
MOST_WORDS = 8  # words in one phrase
PART = re.compile(r'(?<!\S)(-?)(?:"([^"]*)"|(\S+))')
WORD = re.compile(r"[^\W_]+")
# PostgreSQL's own English stop words. They are in nearly every text, so searching for them only loses what is meant.
STOP_WORDS = frozenset(
    """
    a about above after again against all am an and any are as at be because been before being below
    between both but by can did do does doing don down during each few for from further had has have
    having he her here hers herself him himself his how i if in into is it its itself just me more most
    my myself no nor not now of off on once only or other our ours ourselves out over own s same she
    should so some such t than that the their theirs them themselves then there these they this those
    through to too under until up very was we were what when where which while who whom why will with
    you your yours yourself yourselves
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Term:
    """A word, or words that must follow each other; pages containing an excluded term are left out."""

    words: tuple[str, ...]
    is_excluded: bool = False


def terms_of(text: str) -> tuple[Term, ...]:
    """Parsed input: quotation marks keep words together, a minus excludes. Empty if there is nothing to search for."""
    found = []
    for minus, phrase, plain in PART.findall(text):
        words = tuple(WORD.findall((phrase or plain).lower())[:MOST_WORDS])
        if words:
            found.append((Term(words, is_excluded=bool(minus)), bool(phrase)))
    telling = [term for term, quoted in found if quoted or term.is_excluded or not STOP_WORDS.issuperset(term.words)]
    asked = telling if any(not term.is_excluded for term in telling) else [term for term, _ in found]
    return tuple(asked[:MOST_TERMS]) if any(not term.is_excluded for term in asked[:MOST_TERMS]) else ()


def as_tsquery(terms: Iterable[Term]) -> str:
    """For ``to_tsquery``. Words contain only letters and digits, so none is read as an operator."""
    return " & ".join(
        ("!" if term.is_excluded else "") + "(" + " <-> ".join(f"'{word}'" for word in term.words) + ")"
        for term in terms
    )


def as_fts5(terms: Iterable[Term], columns: str = "") -> str:
    """For MATCH in SQLite's FTS5, in all columns or the given ones."""
    terms = list(terms)
    wanted = " AND ".join(_phrase(term) for term in terms if not term.is_excluded)
    where = f"{{{columns}}} : " if columns else ""
    return f"{where}({wanted})" + "".join(f" NOT {_phrase(term)}" for term in terms if term.is_excluded)


def as_tsquery_begun(terms: Iterable[Term]) -> str:
    """For ``to_tsquery``, matching the last word of each term by prefix."""
    return " & ".join(
        ("!" if term.is_excluded else "") + "(" + " <-> ".join(f"'{word}'" for word in term.words) + ":*)"
        for term in terms
    )


def as_fts5_begun(terms: Iterable[Term]) -> str:
    """For MATCH in FTS5, matching the last word of each term by prefix."""
    terms = list(terms)
    wanted = " AND ".join(f"{_phrase(term)}*" for term in terms if not term.is_excluded)
    return f"({wanted})" + "".join(f" NOT {_phrase(term)}*" for term in terms if term.is_excluded)


def objective_word(number: str) -> str:
    """An objective's number as one indexed word, because 2.1 would also be found in 1.2.1: 2.1.a is o2n1na0."""
    return f"{objective_start(number)}0"


def objective_start(number: str) -> str:
    """The prefix of the words for an objective's points, followed by an n."""
    return "o" + "n".join(WORD.findall(number.lower()))


def _phrase(term: Term) -> str:
    return '"' + " ".join(term.words) + '"'
