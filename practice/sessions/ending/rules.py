"""Which questions of a session were really displayed, told from what the page measured and how long the session took.

A page with script measures each question, a page without it nothing: there the session's length is divided among the
questions. A browser can claim any time, so the seconds it claims never add up to more than the server's clock allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# A scenario with four options has 100 to 150 words. Nobody reads it in 5 s (1,200 words a minute), and studies of rapid
# guessing put the line between a guess and an attempt at 3 to 10 s: a fast reader stays above it, a mere flick below.
MET_SECONDS = 5
# Without script nothing tells one question from another, so each is given what a fast reader needs for all its words
# (450 a minute): a sixth of the exam's own pace.
UNMEASURED_SECONDS = 20


@dataclass(frozen=True)
class Sight:
    """What is known of one question: ``seconds`` on screen where a page ``measured`` them, and if it was answered."""

    position: int
    seconds: int
    measured: bool
    answered: bool


def displayed(sights: Sequence[Sight], length: float, until_answer: float) -> set[int]:
    """The positions really displayed, in a session of ``length`` seconds whose last answer came after ``until_answer``.

    Measured ones by their time, as many as fit into the session. Of the others the answered ones, then, where nothing
    at all was measured, the unanswered ones: as many as fit into the time before the last answer, because an answer is
    the only trace a page without script leaves of its reader.
    """
    measured = [sight for sight in sights if sight.measured]
    read = [sight.position for sight in measured if sight.seconds >= MET_SECONDS][: int(length // MET_SECONDS)]
    blind = sorted((not sight.answered, sight.position) for sight in sights if not sight.measured)
    if measured:
        blind = [(unanswered, position) for unanswered, position in blind if not unanswered]
    left = max(0.0, until_answer - sum(sight.seconds for sight in measured))
    return {*read, *(position for _, position in blind[: int(left // UNMEASURED_SECONDS)])}
