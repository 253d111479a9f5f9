"""The trial's random draw, and its times; pure."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
PLAN = "530e116eefb478d340f3ce17e129579e44d05efa3459f6a915733a959dfa6cd5"
"""The SHA-256 of docs/evidence-plan.md: what is drawn is analysed as the plan says, or not at all."""
KEPT_BACK = dt.timedelta(days=3)
LATEST = dt.timedelta(days=14)
LEAST_FAMILY = 3
"""The one that was missed, one to show now and one to keep back: in a family of two there would be no outcome."""
CONTRAST, PLAIN = "contrast", "plain"


class Draw:
    """The random decisions about one miss; the same key gives the same draw, so that anybody can check it."""

    def __init__(self, session: str, position: int) -> None:
        self._digest = hashlib.sha256(f"{session} {position}".encode()).digest()

    def arm(self, before: Sequence[str]) -> str:
        """The arm, given the learner's previous arms, oldest first: in each pair, the second is the opposite of the
        first."""
        if len(before) % 2:
            return PLAIN if before[-1] == CONTRAST else CONTRAST
        return CONTRAST if self._digest[0] % 2 else PLAIN

    def of(self, choices: Sequence[T], place: int) -> T:
        """One of the choices; a different ``place`` is a different draw."""
        return choices[int.from_bytes(self._digest[4 * place : 4 * place + 4]) % len(choices)]
