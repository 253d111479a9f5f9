"""Where in a session its learner left off."""

from __future__ import annotations

from collections.abc import Iterable


def left_at(saves: Iterable[tuple[int, int, int]]) -> int:
    """The position of the newest save among (writer, sequence, position); 1 if no page has saved anything.

    The player saves each question that comes into view after the one just left, so the newest is the last one seen.
    """
    writer, _, position = max(saves, default=(0, 0, 1))
    return position if writer else 1
