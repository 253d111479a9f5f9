"""A piece of an excerpt, and whether it matches the search."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    text: str
    is_marked: bool = False
