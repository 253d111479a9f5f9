"""What a prediction comes to, and what to do next; pure. The templates put both into words."""

from __future__ import annotations

from dataclasses import dataclass

TOO_EARLY, NOT_YET, EITHER_WAY, LIKELY = "too-early", "not-yet", "either-way", "likely"
DUE_FIRST = 5
"""So many reviews due come before anything new."""
LIKELY_FROM, NOT_YET_BELOW = 2 / 3, 1 / 3
"""Chances that have a word of their own; between them it could go either way."""
READ_BELOW = 0.5
READ_AFTER = 10
"""After so many answers in a domain below half right, reading comes before more questions."""
# An even chance, a week apart, and the last unseen mock kept for the week before the exam.
MOCK_FROM = 0.5
MOCK_EVERY_DAYS = 7
LAST_WEEK = 7


def word_for(chance: float | None) -> str:
    """Which of the four words fits the chance that stands beside it."""
    if chance is None:
        return TOO_EARLY
    if chance < NOT_YET_BELOW:
        return NOT_YET
    return LIKELY if chance >= LIKELY_FROM else EITHER_WAY


def bounded(chance: float) -> int:
    """In percent, never 0 and never 100: nothing here is certain."""
    return min(max(round(100 * chance), 1), 99)


@dataclass(frozen=True)
class DomainFacts:
    """A domain as advice sees it. ``module`` is the number of its study module that was not read, if there is one."""

    key: str
    number: int
    name: str
    n: int
    share: float
    gain: float
    module: int | None = None


@dataclass(frozen=True)
class Facts:
    """What the advice rests on. Days and minutes are the learner's own; None where it is not known.

    ``missing`` answers are what a drill of the ``lacking`` domains deals, of all where there are none.
    """

    chance: float | None
    missing: int
    lacking: tuple[DomainFacts, ...]
    domains: tuple[DomainFacts, ...]
    due: int
    minutes_today: int
    minutes_a_day: int | None
    days_to_exam: int | None
    days_since_mock: int | None
    unseen_mocks: int


@dataclass(frozen=True)
class Advice:
    """One step: ``kind`` is rest, review, measure, mock, read or practise; ``domain`` where it speaks of one."""

    kind: str
    domain: DomainFacts | None = None


def advise(facts: Facts) -> Advice:
    """The step that helps most now; the first rule that fits."""
    if _is_enough(facts):
        return Advice("rest")
    if facts.due >= DUE_FIRST:
        return Advice("review")
    if facts.chance is None:
        return Advice("measure")
    if _mock_is_due(facts):
        return Advice("mock")
    best = max(facts.domains, key=lambda domain: (domain.gain, -domain.number))
    if best.module is not None and best.n >= READ_AFTER and best.share < READ_BELOW:
        return Advice("read", best)
    return Advice("practise", best)


def _is_enough(facts: Facts) -> bool:
    """Only whoever set a plan can have done what they set out to do."""
    return facts.minutes_a_day is not None and facts.minutes_today >= facts.minutes_a_day


def _mock_is_due(facts: Facts) -> bool:
    """A week since the last one, a fair chance, and an unseen one to spare: the last is kept for the last week."""
    last_week = facts.days_to_exam is not None and 0 <= facts.days_to_exam <= LAST_WEEK
    spare = facts.unseen_mocks - (0 if last_week or facts.days_to_exam is None else 1)
    waited = facts.days_since_mock is None or facts.days_since_mock >= MOCK_EVERY_DAYS
    return spare > 0 and waited and (facts.chance or 0) >= MOCK_FROM
