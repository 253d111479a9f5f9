"""The map of an exam: for each domain and concept, what was seen and what was right, or nothing if too little is
known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from practice.sessions.models import Confidence
from practice.sessions.reads.tally.rules import First, Tally
from practice.sessions.scoring.rules import told_share
from practice.start.reads.bank import Bank


@dataclass(frozen=True)
class Score:
    """First answers, and how many of them were right."""

    right: int = 0
    answered: int = 0

    @property
    def percent(self) -> int | None:
        return told_share(self.right, self.answered)


@dataclass(frozen=True)
class Tile:
    """A concept: its units in the bank, those this learner has seen, and their first answers."""

    key: str
    name: str
    total: int
    seen: int
    score: Score

    @property
    def state(self) -> str:
        """``unmet``, ``few`` answers, or ``read``: three or more, with a share."""
        if self.score.percent is not None:
            return "read"
        return "few" if self.seen or self.score.answered else "unmet"

    @property
    def gap(self) -> int:
        """How far below the top of its box the fill starts, in percent."""
        return 100 - (self.score.percent or 0)


@dataclass(frozen=True)
class Sureness:
    """First answers given with one confidence, 1 to 3."""

    confidence: int
    name: str
    score: Score

    @property
    def wrong(self) -> int:
        return self.score.answered - self.score.right

    @property
    def is_sure(self) -> bool:
        return self.confidence == Confidence.SURE


@dataclass(frozen=True)
class FirstAnswers:
    """All of a learner's first answers in an exam, by domain and by stated confidence, most confident first."""

    total: Score
    by_domain: dict[int, Score]
    sureness: list[Sureness]


def first_answers(tally: Tally) -> FirstAnswers:
    """Without blanks, and without a running mock's answers, which aren't marked yet."""
    said = sorted({first.confidence for first in tally.firsts if first.confidence}, reverse=True)
    return FirstAnswers(
        total=_sum(tally.firsts),
        by_domain={
            domain: _sum(first for first in tally.firsts if first.domain == domain)
            for domain in {first.domain for first in tally.firsts}
        },
        sureness=[
            Sureness(value, Confidence(value).label, _sum(f for f in tally.firsts if f.confidence == value))
            for value in said
        ],
    )


def tiles(tally: Tally, bank: Bank) -> dict[int, list[Tile]]:
    """By domain id, the concepts that have a live question, in the catalogue's order."""
    met = bank.units_of(tally.seen)
    found: dict[int, list[Tile]] = defaultdict(list)
    for concept in bank.concepts:
        n, right = tally.concepts.get(concept.pk, (0, 0))
        tile = Tile(concept.key, concept.name, len(concept.units), len(concept.units & met), Score(right, n))
        found[concept.domain].append(tile)
    return found


def _sum(firsts: Iterable[First]) -> Score:
    mine = list(firsts)
    return Score(sum(first.right for first in mine), sum(first.n for first in mine))
