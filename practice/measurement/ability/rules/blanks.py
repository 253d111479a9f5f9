"""What the blanks of a finished mock say: omitted, not reached, or the mock was abandoned; pure.

A mock scores a blank as wrong, so leaving them out of the model flatters whoever leaves them. What each is worth
follows Lord (Journal of Educational Measurement 11, 1974, 247-264) and Glas & Pimentel (Educational and Psychological
Measurement 68, 2008, 907-922):

- *Omitted*, shown and passed over: a miss. Lord gives it a blind guess's chance instead, because his tests are marked
  for guessing; ours mark it wrong, and so does the forecast.
- *Not reached*: nothing of the ability, but of the pace, which has a model of its own (``pace.py``).
- *Abandoned*: nothing was answered, or the learner left with the time to go on. Neither pace nor result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SHOWN_SECONDS = 5
"""On screen for less than so long, a question was flicked past (as ``MET_SECONDS`` where a session ends)."""
LEFT_SHARE = 0.25
"""Whoever stops short of the end by so much of a mock may have left it; by less, they were about done."""
LEFT_TIME = 0.5
"""It was left where the time remaining would have held so much of the rest, at the pace until then."""


@dataclass(frozen=True, slots=True)
class Place:
    """A question of a finished mock; ``seconds`` on screen are 0 where the page measured nothing."""

    position: int
    answered: bool
    seconds: int


@dataclass(frozen=True, slots=True)
class Clock:
    """Of a finished mock, pauses left out: seconds until the last answer, seconds ``allowed`` (None for untimed), and
    whether it ended because they were over."""

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
    """How the questions of a mock were dealt with.

    A blank was shown where its time on screen says so; on a page that measured nothing, where a later question was
    answered. After the last answer it is omitted only in a mock that was submitted: time took the others away.
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
