"""Fenced code in the plain formats, told apart from questions' lines."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator

from questions.formats.rules.limits import ITEM_CHARACTERS
from questions.formats.rules.reading.text_lines import Line

OPTION = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])\s+[\[(]([ \xa0xX]?)[\])]\s*(.*)$")
"""An option in a task list."""
IN_CODE = "has right and wrong options in code, so it may be an example of how questions are written"
FENCE = re.compile(r"\s*(```+|~~~+)")


def with_code(lines: Iterable[Line]) -> Iterator[tuple[int, str, bool]]:
    """Each line without its line break, and whether it is fenced code. An unclosed fence doesn't count."""
    source, again = iter(lines), deque[Line]()
    open_until: dict[str, int] = {}  # up to which line a fence is known to be unclosed
    while (line := again.popleft() if again else next(source, None)) is not None:
        number, text = line[0], line[1].rstrip()
        fence = FENCE.match(text)
        sign = fence.group(1) if fence else ""
        held = _until_closed(sign, source, again) if sign and number > open_until.get(sign, 0) else None
        if sign and held is None and again:
            open_until[sign] = max(again[-1][0], open_until.get(sign, 0))
        yield number, text, held is not None
        for at, code in held or ():
            yield at, code.rstrip(), True


def _until_closed(fence: str, source: Iterator[Line], again: deque[Line]) -> list[Line] | None:
    """The lines up to the end of the code; None, with the lines put back, if there is no end.

    A fence followed by a word doesn't end code, but options after it show that its author thought so.
    """
    held: list[Line] = []
    size, meant = 0, 0
    while size <= ITEM_CHARACTERS and (line := again.popleft() if again else next(source, None)) is not None:
        held.append(line)
        size += len(line[1])
        if not line[1].strip().startswith(fence):
            if meant and OPTION.match(line[1]):
                again.extendleft(reversed(held[meant:]))
                return held[:meant]
        elif not line[1].strip().strip(fence[0]):
            return held
        else:
            meant = meant or len(held)
    again.extendleft(reversed(held))
    return None
