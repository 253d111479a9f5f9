"""In words what a prediction comes to, and what to do next; pure."""

from __future__ import annotations

from dataclasses import dataclass

TOO_EARLY, NOT_YET, EITHER_WAY, LIKELY = "too early", "not yet", "could go either way", "likely"
SENTENCES = {
    TOO_EARLY: "Too early to say.",
    NOT_YET: "Not yet.",
    EITHER_WAY: "It could go either way.",
    LIKELY: "You would likely pass.",
}
DUE_FIRST = 5
"""So many reviews due come before anything new."""
ENOUGH_ANSWERS = 60
"""After so many answers in a day more of them teach little: rest."""
READ_BELOW = 0.5
READ_AFTER = 10
"""After so many answers in a section below half right, reading comes before more questions."""
MOCK_FROM = 0.5
MOCK_EVERY_DAYS = 7
LAST_WEEK = 7


def word_for(needed: int, low: int | None, high: int | None) -> str:
    """The one table of words, by where the 80 % range of the next score stands to the pass mark."""
    if low is None or high is None:
        return TOO_EARLY
    if high < needed:
        return NOT_YET
    return LIKELY if low >= needed else EITHER_WAY


@dataclass(frozen=True)
class Section:
    """A section as advice sees it. ``module`` is the number of its study module that was not read, if there is one."""

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
    missing_in: Section | None
    sections: tuple[Section, ...]
    due: int
    answered_today: int
    minutes_today: int
    minutes_a_day: int | None
    days_to_exam: int | None
    days_since_mock: int | None
    unseen_mocks: int


@dataclass(frozen=True)
class Advice:
    """One step: ``kind`` is rest, review, measure, mock, read or practise; ``section`` where it speaks of one."""

    kind: str
    why: str
    section: Section | None = None


def advise(facts: Facts) -> Advice:
    """The step that helps most now; the first rule that fits."""
    if _is_enough(facts):
        return Advice("rest", "You have done what you set out to do today. What was learned settles better overnight.")
    if facts.due >= DUE_FIRST:
        return Advice("review", f"{facts.due} questions you missed or guessed are due today; now they cost least.")
    if facts.chance is None:
        return _measure(facts)
    if _mock_is_due(facts):
        return Advice("mock", _why_mock(facts))
    best = max(facts.sections, key=lambda section: (section.gain, -section.number))
    if best.module is not None and best.n >= READ_AFTER and best.share < READ_BELOW:
        why = f"Fewer than half of {best.n} answers in section {best.number} were right: read first, then practise."
        return Advice("read", why, best)
    points = round(100 * best.gain)
    worth = f"about {points} point{'' if points == 1 else 's'}" if points else "more than any other section"
    return Advice("practise", f"Twenty questions of section {best.number} raise your chance most: {worth}.", best)


def _is_enough(facts: Facts) -> bool:
    if facts.minutes_a_day is not None:
        return facts.minutes_today >= facts.minutes_a_day
    return facts.answered_today >= ENOUGH_ANSWERS


def _measure(facts: Facts) -> Advice:
    where = f", most in section {facts.missing_in.number}" if facts.missing_in else ""
    why = f"Nothing can be said yet: about {facts.missing} more answers to questions new to you are needed{where}."
    return Advice("measure", why, facts.missing_in)


def _mock_is_due(facts: Facts) -> bool:
    """A week since the last one, a fair chance, and an unseen one to spare: the last is kept for the last week."""
    last_week = facts.days_to_exam is not None and 0 <= facts.days_to_exam <= LAST_WEEK
    spare = facts.unseen_mocks - (0 if last_week or facts.days_to_exam is None else 1)
    waited = facts.days_since_mock is None or facts.days_since_mock >= MOCK_EVERY_DAYS
    return spare > 0 and waited and (facts.chance or 0) >= MOCK_FROM


def _why_mock(facts: Facts) -> str:
    since = "You haven't sat one yet"
    if facts.days_since_mock is not None:
        since = f"Your last one was {facts.days_since_mock} days ago"
    return f"{since}, and a mock of unseen questions is the best measure there is."
