"""What a prediction comes to, and what to do next; pure. The templates put both into words."""

from __future__ import annotations

from dataclasses import dataclass

TOO_EARLY, NOT_YET, EITHER_WAY, LIKELY = "too-early", "not-yet", "either-way", "likely"
DUE_FIRST = 5
"""So many reviews due come before anything new."""
ENOUGH_ANSWERS = 60
"""After so many answers in a day more of them teach little: rest."""
READ_BELOW = 0.5
READ_AFTER = 10
"""After so many answers in a domain below half right, reading comes before more questions."""
# An even chance, a week apart, and the last unseen mock kept for the week before the exam.
MOCK_FROM = 0.5
MOCK_EVERY_DAYS = 7
LAST_WEEK = 7


def word_for(needed: int, low: int | None, high: int | None) -> str:
    """Which of the four words fits, by where the 80% range of the next score stands to the pass mark."""
    if low is None or high is None:
        return TOO_EARLY
    if high < needed:
        return NOT_YET
    return LIKELY if low >= needed else EITHER_WAY


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
    """What the advice rests on. Days and minutes are the learner's own; None where it is not known."""

    chance: float | None
    missing: int
    missing_in: DomainFacts | None
    domains: tuple[DomainFacts, ...]
    due: int
    answered_today: int
    minutes_today: int
    minutes_a_day: int | None
    days_to_exam: int | None
    days_since_mock: int | None
    unseen_mocks: int


@dataclass(frozen=True)
class Advice:
    """One step: ``kind`` is rest, review, measure, mock, read or practise; ``domain`` where it speaks of one.

    ``points`` is how many a block of questions in the domain would add to the chance, in per cent.
    """

    kind: str
    domain: DomainFacts | None = None
    points: int = 0


def advise(facts: Facts) -> Advice:
    """The step that helps most now; the first rule that fits."""
    if _is_enough(facts):
        return Advice("rest")
    if facts.due >= DUE_FIRST:
        return Advice("review")
    if facts.chance is None:
        return Advice("measure", facts.missing_in)
    if _mock_is_due(facts):
        return Advice("mock")
    best = max(facts.domains, key=lambda domain: (domain.gain, -domain.number))
    if best.module is not None and best.n >= READ_AFTER and best.share < READ_BELOW:
        return Advice("read", best)
    return Advice("practise", best, round(100 * best.gain))


def _is_enough(facts: Facts) -> bool:
    if facts.minutes_a_day is not None:
        return facts.minutes_today >= facts.minutes_a_day
    return facts.answered_today >= ENOUGH_ANSWERS


def _mock_is_due(facts: Facts) -> bool:
    """A week since the last one, a fair chance, and an unseen one to spare: the last is kept for the last week."""
    last_week = facts.days_to_exam is not None and 0 <= facts.days_to_exam <= LAST_WEEK
    spare = facts.unseen_mocks - (0 if last_week or facts.days_to_exam is None else 1)
    waited = facts.days_since_mock is None or facts.days_since_mock >= MOCK_EVERY_DAYS
    return spare > 0 and waited and (facts.chance or 0) >= MOCK_FROM
