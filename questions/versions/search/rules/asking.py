"""What a search asks for, in the words of either database."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

MOST_TERMS = 8
"""Each is a condition the database checks. Beyond so many words somebody has pasted a stem, which the first few
find."""
MOST_WORDS = 8  # of one phrase
PART = re.compile(r'(?<!\S)(-?)(?:"([^"]*)"|(\S+))')
WORD = re.compile(r"[^\W_]+")
# PostgreSQL's own list for English. They stand in nearly every text, so that asking for them only loses what is meant.
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
    """A word, or words that must follow each other; a page that says an excluded one is left out."""

    words: tuple[str, ...]
    is_excluded: bool = False


def terms_of(text: str) -> tuple[Term, ...]:
    """What was typed: quotation marks keep words together, a minus leaves out. Empty where nothing is asked for."""
    found = []
    for minus, phrase, plain in PART.findall(text):
        words = tuple(WORD.findall((phrase or plain).lower())[:MOST_WORDS])
        if words:
            found.append((Term(words, is_excluded=bool(minus)), bool(phrase)))
    telling = [term for term, quoted in found if quoted or term.is_excluded or not STOP_WORDS.issuperset(term.words)]
    asked = telling if any(not term.is_excluded for term in telling) else [term for term, _ in found]
    return tuple(asked[:MOST_TERMS]) if any(not term.is_excluded for term in asked[:MOST_TERMS]) else ()


def as_tsquery(terms: Iterable[Term]) -> str:
    """For ``to_tsquery``. Words hold letters and digits only, so that nothing of them is read as an operator."""
    return " & ".join(
        ("!" if term.is_excluded else "") + "(" + " <-> ".join(f"'{word}'" for word in term.words) + ")"
        for term in terms
    )


def as_fts5(terms: Iterable[Term], columns: str = "") -> str:
    """For MATCH of SQLite's FTS5, in all columns or those named."""
    terms = list(terms)
    wanted = " AND ".join(_phrase(term) for term in terms if not term.is_excluded)
    where = f"{{{columns}}} : " if columns else ""
    return f"{where}({wanted})" + "".join(f" NOT {_phrase(term)}" for term in terms if term.is_excluded)


def as_tsquery_begun(terms: Iterable[Term]) -> str:
    """For ``to_tsquery``, where the last word of each term need only be begun."""
    return " & ".join(
        ("!" if term.is_excluded else "") + "(" + " <-> ".join(f"'{word}'" for word in term.words) + ":*)"
        for term in terms
    )


def as_fts5_begun(terms: Iterable[Term]) -> str:
    """For MATCH of FTS5, where the last word of each term need only be begun."""
    terms = list(terms)
    wanted = " AND ".join(f"{_phrase(term)}*" for term in terms if not term.is_excluded)
    return f"({wanted})" + "".join(f" NOT {_phrase(term)}*" for term in terms if term.is_excluded)


def objective_word(number: str) -> str:
    """An objective's number as one word of the index, since 2.1 would be found in 1.2.1 too: 2.1.a is o2n1na0."""
    return f"{objective_start(number)}0"


def objective_start(number: str) -> str:
    """How the words of an objective's points begin, once an n follows."""
    return "o" + "n".join(WORD.findall(number.lower()))


def _phrase(term: Term) -> str:
    return '"' + " ".join(term.words) + '"'
