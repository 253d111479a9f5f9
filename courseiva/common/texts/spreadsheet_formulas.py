"""Which cells of a table a spreadsheet would run (OWASP, CSV injection)."""

from __future__ import annotations

import itertools
import unicodedata

STARTS = frozenset("=+-@＝＋－＠")  # noqa: RUF001
CONTROL = "Cc"
UNSEEN = frozenset({CONTROL, "Cf", "Zs", "Zl", "Zp"})
"""Categories of what a spreadsheet drops from the front of a cell: controls, byte order marks, spaces of any kind."""


def is_formula(text: str) -> bool:
    """Whether the cell starts like a formula, or with a control character, behind whatever nobody sees."""
    unseen = "".join(itertools.takewhile(lambda char: unicodedata.category(char) in UNSEEN, text))
    return text[len(unseen) : len(unseen) + 1] in STARTS or CONTROL in map(unicodedata.category, unseen)
