"""Which table cells a spreadsheet would execute (OWASP, CSV injection)."""

from __future__ import annotations

import itertools
import unicodedata

STARTS = frozenset("=+-@＝＋－＠")  # noqa: RUF001
CONTROL = "Cc"
UNSEEN = frozenset({CONTROL, "Cf", "Zs", "Zl", "Zp"})
"""Unicode categories that a spreadsheet drops from the start of a cell: controls, byte order marks, spaces of any kind.
"""


def is_formula(text: str) -> bool:
    """Whether the cell starts like a formula or with a control character, after any invisible characters."""
    unseen = "".join(itertools.takewhile(lambda char: unicodedata.category(char) in UNSEEN, text))
    return text[len(unseen) : len(unseen) + 1] in STARTS or CONTROL in map(unicodedata.category, unseen)
