"""What changed between two texts, word by word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher

SAME, GONE, NEW = "same", "gone", "new"
WORD = re.compile(r"(?:\w+|[^\w\s])\s*|\s+")


@dataclass(frozen=True)
class Piece:
    """A piece of text that is in both texts, only in the old one, or only in the new one."""

    kind: str
    text: str


def word_diff(old: str, new: str) -> list[Piece]:
    """The two texts as one sequence of pieces. Changes of white space alone don't count."""
    before, after = WORD.findall(old), WORD.findall(new)
    matcher = SequenceMatcher(None, [word.strip() for word in before], [word.strip() for word in after], autojunk=False)
    pieces: list[Piece] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            pieces.append(Piece(SAME, "".join(after[j1:j2])))
            continue
        if i2 > i1:
            pieces.append(Piece(GONE, "".join(before[i1:i2])))
        if j2 > j1:
            pieces.append(Piece(NEW, "".join(after[j1:j2])))
    return pieces
