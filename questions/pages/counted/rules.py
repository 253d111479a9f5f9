"""The counts of an exam's public questions, and the dates on which these changed."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Any

Moment = dt.datetime | None

PART = 250
"""Questions in a part of the list: a multiple of the page size, so that no page needs two parts."""
NUMBERS = 400
"""Public numbers per sitemap of questions: few enough that no sitemap is slow to make, and a question stays in the
same one."""
SHOWN = 25
"""Questions on the page of a domain or concept: the first page's worth of the list it links to (``PER_PAGE`` in
lists.py)."""
IN_FEED = 30
"""A release of the bank publishes more at once, but a feed is news, not the list."""
COLUMNS = ("domain", "difficulty", "kind")
"""What questions are counted by, in this order."""
Cell = tuple[int, str, str]
"""A domain's id, a difficulty and a kind."""
TOGETHER = 4
"""A line of links; concepts further down share only one or two questions."""


@dataclass(frozen=True)
class AboutConcept:
    """What a concept's page says about its public questions: their number by difficulty, the objectives they name most,
    the concepts they share most (id and number), and the first of them, in the list's order."""

    levels: Mapping[str, int] = field(default_factory=dict)
    objectives: Sequence[str] = ()
    together: Sequence[tuple[int, int]] = ()
    first: Sequence[int] = ()

    @classmethod
    def of(cls, stored: Sequence[Any]) -> AboutConcept:
        """From the stored form."""
        levels, *rest = stored
        return cls(dict(levels), *rest)

    def stored(self) -> list[Any]:
        """As a document, the same for the same facts."""
        levels = sorted([level, n] for level, n in self.levels.items())
        return [levels, list(self.objectives), [list(each) for each in self.together], list(self.first)]


@dataclass(frozen=True)
class Counts:
    """``questions`` are (domain, difficulty, kind, number), ``concepts`` numbers by id; ``troubleshooting`` is the
    number in that collection. ``about`` is what the pages of the concepts with questions say, by id, as stored: a page
    reads at most one of them. ``first`` are the first places in the list and ids of each cell. The previous release
    stores neither."""

    questions: tuple[tuple[int, str, str, int], ...]
    concepts: Mapping[int, int]
    troubleshooting: int
    about: Mapping[int, Sequence[Any]] | None = None
    first: Mapping[Cell, Sequence[tuple[int, int]]] = field(default_factory=dict)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Counts:
        """From the stored form."""
        rows = tuple((domain, level, kind, n) for domain, level, kind, n in stored["questions"])
        about = dict(stored["about"]) if "about" in stored else None
        first = {(domain, level, kind): first for domain, level, kind, first in stored.get("cells", ())}
        return cls(rows, dict(stored["concepts"]), stored["troubleshooting"], about, first)

    def stored(self) -> dict[str, Any]:
        """As a document, the same for the same counts."""
        concepts = sorted([pk, n] for pk, n in self.concepts.items())
        questions = sorted(list(row) for row in self.questions)
        about = sorted([pk, told] for pk, told in (self.about or {}).items())
        numbers = {"questions": questions, "concepts": concepts, "troubleshooting": self.troubleshooting}
        cells = sorted([*cell, [list(each) for each in rows]] for cell, rows in self.first.items())
        return numbers | {"about": about, "cells": cells}

    @property
    def total(self) -> int:
        return sum(row[-1] for row in self.questions)

    @property
    def by_domain(self) -> Counter[int]:
        """The numbers by domain id."""
        return _added((domain, n) for domain, _, _, n in self.questions)

    def by_difficulty(self, domain: int) -> Counter[str]:
        """A domain's numbers, by the label's value."""
        return _added((level, n) for of, level, _, n in self.questions if of == domain)

    def about_concept(self, concept: int) -> AboutConcept | None:
        """None if it isn't known."""
        if self.about is None:
            return None
        return AboutConcept.of(self.about[concept]) if concept in self.about else AboutConcept()

    def with_concept(self, concept: int) -> tuple[int, Sequence[int]] | None:
        """The number and the first ids of the questions with this concept; None if they aren't known."""
        about = self.about_concept(concept)
        return (self.concepts.get(concept, 0), about.first) if about else None

    def with_columns(self, asked: Mapping[str, Sequence[Any]]) -> tuple[int, Sequence[int]]:
        """The number and the first ids of the questions with one of these domains (by id), difficulties and kinds.

        No ids if they aren't known.
        """
        wanted = [asked.get(name) for name in COLUMNS]
        cells = {
            (domain, level, kind): n
            for domain, level, kind, n in self.questions
            if all(each is None or value in each for each, value in zip(wanted, (domain, level, kind), strict=True))
        }
        first = nsmallest(SHOWN, (tuple(row) for cell in cells for row in self.first.get(cell, ())))
        return sum(cells.values()), [pk for _, pk in first]


@dataclass(frozen=True)
class Dates:
    """When an exam's questions last changed: by domain id, and by the number of each sitemap that has questions; the
    latest erratum; the ids of the questions published last, for the feed; and how many public questions each sitemap
    has. The previous release stores neither ids nor numbers."""

    domains: Mapping[int, Moment]
    parts: Mapping[int, Moment]
    erratum: Moment
    newest: Sequence[int] | None = None
    numbers: Mapping[int, int] | None = None

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Dates:
        """From the stored form."""
        numbers = dict(stored["numbers"]) if "numbers" in stored else None
        domains, parts = ({n: _moment(told) for n, told in stored[name]} for name in ("domains", "parts"))
        return cls(domains, parts, _moment(stored["erratum"]), stored.get("newest"), numbers)

    def stored(self) -> dict[str, Any]:
        """As a document, the same for the same dates."""
        domains, parts = ([[n, _told(at)] for n, at in sorted(each.items())] for each in (self.domains, self.parts))
        told = {"domains": domains, "parts": parts, "erratum": _told(self.erratum)}
        numbers = sorted([part, n] for part, n in (self.numbers or {}).items())
        return told | {"newest": list(self.newest or ()), "numbers": numbers}

    def place_of(self, nth: int) -> tuple[int, int]:
        """The part in which the public question with ``nth`` lower numbers is, and how many precede it there; as if
        all were in the first part, if the numbers aren't known."""
        for part, n in sorted((self.numbers or {}).items()):
            if nth < n:
                return part, nth
            nth -= n
        return 1, nth


def newest(moments: Iterable[Moment]) -> Moment:
    """The latest known time."""
    return max((moment for moment in moments if moment), default=None)


def _told(moment: Moment) -> str | None:
    return moment.isoformat() if moment else None


def _moment(told: str | None) -> Moment:
    return dt.datetime.fromisoformat(told) if told else None


def _added(pairs: Any) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for key, n in pairs:
        found[key] += n
    return found
