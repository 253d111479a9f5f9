"""How to read the blanks of a finished mock: omitted, not reached, or the mock was abandoned; pure.

A mock scores a blank as wrong, so leaving blanks out of the model would flatter those who leave them. What each is
worth follows Lord (Journal of Educational Measurement 11, 1974, 247-264) and Glas & Pimentel (Educational and
Psychological Measurement 68, 2008, 907-922):

- *Omitted*, shown and skipped: a miss. Lord gives it the chance of a blind guess instead, because his tests correct
  for guessing; ours mark it wrong, and so does the forecast.
- *Not reached*: says nothing about ability, but something about pace, which has its own model (``pace.py``).
- *Abandoned*: nothing was answered, or the learner left with time to continue. Says nothing about pace or result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SHOWN_SECONDS = 5
"""On screen for less than this, a question was flicked past (as ``MET_SECONDS`` at a session's end)."""
LEFT_SHARE = 0.25
"""If at least this share of a mock is left at the end, the learner may have left it; with less, they were nearly
done."""
LEFT_TIME = 0.5
"""It was left if, at the pace so far, the remaining time was enough for this share of the rest."""


@dataclass(frozen=True, slots=True)
class Place:
    """A question of a finished mock; ``seconds`` on screen are 0 if the page measured nothing."""

    position: int
    answered: bool
    seconds: int


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a finished mock, without pauses: seconds until the last answer, seconds ``allowed`` (None if
    untimed), and whether it ended because time ran out."""

    worked: float
    allowed: float | None
    ran_out: bool


@dataclass(frozen=True, slots=True)
class Blanks:
    """The positions ``omitted``; how many questions were ``reached``, answered or omitted, of ``total``."""

    omitted: frozenset[int]
    reached: int
    total: int
    abandoned: bool


def blanks(places: Sequence[Place], clock: Clock) -> Blanks:
    """How a mock's blank questions are to be read.

    A blank was shown if its time on screen says so or, on a page that measured nothing, if a later question was
    answered. After the last answer it only counts as omitted in a mock that was submitted: otherwise time ran out.
    """
    last = max((place.position for place in places if place.answered), default=0)
    measured = any(place.seconds for place in places)
    omitted = frozenset(
        place.position
        for place in places
        if last and not place.answered and _was_shown(place, last, measured) and not _was_cut(place, last, clock)
    )
    reached = len(omitted) + sum(place.answered for place in places)
    return Blanks(omitted, reached, len(places), not last or _was_left(reached, len(places), clock))


def _was_shown(place: Place, last: int, measured: bool) -> bool:
    return place.seconds >= SHOWN_SECONDS if measured else place.position < last


def _was_cut(place: Place, last: int, clock: Clock) -> bool:
    return clock.ran_out and place.position > last


def _was_left(reached: int, total: int, clock: Clock) -> bool:
    rest = total - reached
    if rest < LEFT_SHARE * total:
        return False
    return clock.allowed is None or clock.allowed - clock.worked >= LEFT_TIME * rest * clock.worked / reached
