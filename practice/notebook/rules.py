"""Whether words occur in a text, and why an answer was probably missed; pure.

The reason is guessed from what the page recorded; one that the learner gives replaces it.

The first rule that holds decides; certain reasons come before likely ones:

1. ``CHANGED``: the first selection was right, and the last one is not.
2. ``TIME``: answered within the last ``LAST_SECONDS`` before the deadline; or unanswered in a session that went on to
   that point, without the question having had the learner's usual time (then it was read and not known).
3. ``MISREAD``: answered in less than ``HASTY`` of the learner's usual time.
4. ``KNOWLEDGE``: everything else.

The values are those of ``practice.models.MissClass``.
"""

from __future__ import annotations

import html
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from courseiva.common.rich_text import ANY_TAG

KNOWLEDGE, MISREAD, CHANGED, TIME = "knowledge", "misread", "changed", "time"
LAST_SECONDS = 30
"""About a quarter of what a question usually takes: too little to have read one and thought about it."""
HASTY = 0.5
"""Of the learner's own usual time, so that a quick reader isn't told they misread. A half is a choice, not a
measurement."""
USUAL_FROM = 10
"""The median of fewer says more about how long those questions were than about the learner."""


@dataclass(frozen=True)
class Trace:
    """What the page recorded about a wrong or unanswered question.

    ``seconds`` were spent on it, 0 if nothing was measured. ``time_left`` is the seconds from its answer, or from the
    end of the session for an unanswered one, to the deadline; None without a deadline. ``usual`` is the learner's usual
    seconds for a question; None while too few are known.
    """

    is_unanswered: bool
    first_was_right: bool
    seconds: int
    time_left: float | None
    usual: float | None


def suggest(trace: Trace) -> str:
    """The likely reason, by the rules above."""
    if trace.first_was_right:
        return CHANGED
    if trace.time_left is not None and trace.time_left <= LAST_SECONDS and not _was_read(trace):
        return TIME
    if not trace.is_unanswered and trace.usual is not None and 0 < trace.seconds < HASTY * trace.usual:
        return MISREAD
    return KNOWLEDGE


def usual_seconds(measured: Sequence[int]) -> float | None:
    """The median time of a learner's latest answers; None below ``USUAL_FROM`` of them."""
    return statistics.median(measured) if len(measured) >= USUAL_FROM else None


def _was_read(trace: Trace) -> bool:
    """Unanswered although there was enough time."""
    return trace.is_unanswered and trace.usual is not None and trace.seconds >= trace.usual


def stands_in(words: str, *texts: str) -> bool:
    """Whether these words occur in one of these HTML texts, across lines and elements."""
    sought = "".join(words.split())
    return bool(sought) and any(sought in "".join(html.unescape(ANY_TAG.sub("", text)).split()) for text in texts)
