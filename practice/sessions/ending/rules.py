"""Which questions of a session were really displayed, from what the page measured and how long the session took.

With JavaScript a page measures each question; without it, nothing, and the session's length is divided among the
questions. A browser can claim any time, so its seconds never add up to more than the server's clock allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# A scenario with four options has 100 to 150 words. Nobody reads it in 5 s (1,200 words a minute), and studies of rapid
# guessing put the boundary between a guess and an attempt at 3 to 10 s: fast readers are above it, people flicking
# through are below.
MET_SECONDS = 5
# Without JavaScript, questions can't be told apart, so each is given the time in which a fast reader reads all its
# words (450 a minute): a sixth of the exam's own pace.
UNMEASURED_SECONDS = 20


@dataclass(frozen=True)
class Sight:
    """What is known about one question: ``seconds`` on screen where a page ``measured`` them, and if it was
    answered."""

    position: int
    seconds: int
    measured: bool
    answered: bool


def displayed(sights: Sequence[Sight], length: float, until_answer: float) -> set[int]:
    """The positions really displayed, in a session of ``length`` seconds whose last answer came after ``until_answer``.

    Measured ones by their time, as many as fit into the session. Of the others, the answered ones, then, if nothing at
    all was measured, the unanswered ones: as many as fit into the time before the last answer, because answers are the
    only trace of a reader without JavaScript.
    """
    measured = [sight for sight in sights if sight.measured]
    read = [sight.position for sight in measured if sight.seconds >= MET_SECONDS][: int(length // MET_SECONDS)]
    blind = sorted((not sight.answered, sight.position) for sight in sights if not sight.measured)
    if measured:
        blind = [(unanswered, position) for unanswered, position in blind if not unanswered]
    left = max(0.0, until_answer - sum(sight.seconds for sight in measured))
    return {*read, *(position for _, position in blind[: int(left // UNMEASURED_SECONDS)])}
