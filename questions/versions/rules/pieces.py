"""A stretch of an excerpt, and whether it is what was searched for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    text: str
    is_marked: bool = False
