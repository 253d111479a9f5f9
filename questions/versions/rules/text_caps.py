"""What of people's Markdown is refused before it is parsed, because it would be slow to parse.

The parser takes quadratic time for many signs that open something, alone or with others, and more for depth; a table is
as large as its widest line times its lines. The numbers are measured (tests/questions/test_text_caps.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

RUN = re.compile(r"([\[<*_`~\\>!&])\1{11,}")
MARKERS = re.compile(r"[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*")
MARKER = re.compile(r">|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])")


@dataclass(frozen=True)
class Caps:
    """The most a text may hold: characters, lines, depth of lists, indent, columns, and how often each sign."""

    characters: int
    lines: int
    signs: Mapping[str, int]
    nesting: int = 6
    indent: int = 40
    columns: int = 12


EDITORS = Caps(
    characters=5_000,
    lines=250,
    signs={"[": 80, "<": 100, "*": 240, "_": 300, "`": 300, "~": 60, "\\": 160, "&": 240, "!": 240, "|": 600},
)
"""Of one text of a question, or one part of a study module."""
WHOLE = Caps(characters=25_000, lines=1_000, signs={sign: 3 * most for sign, most in EDITORS.signs.items()})
"""Of all texts of a question together, which a preview draws at once."""


def pathology(text: str, caps: Caps) -> str:
    """Why a text would be slow to parse, said to whoever typed it; "" where it would not."""
    return _too_long(text, caps) or _too_many_signs(text, caps) or _too_deep(text, caps)


def refused_text(prose: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The path of the first text of a question that would be slow to draw, and why; "" and "" where none would."""
    texts = list(prose)
    for path, text in texts:
        if why := pathology(text, EDITORS):
            return path, why
    why = pathology("\n".join(text for _, text in texts), WHOLE)
    return ("stem", f"All texts of the question together: {why}") if why else ("", "")


def _too_long(text: str, caps: Caps) -> str:
    if len(text) > caps.characters:
        return f"At most {caps.characters:,} characters; this text has {len(text):,}."
    lines = text.count("\n") + 1
    return f"At most {caps.lines} lines; this text has {lines:,}." if lines > caps.lines else ""


def _too_many_signs(text: str, caps: Caps) -> str:
    run = RUN.search(text)
    if run:
        return f"“{run.group(1)}” stands {len(run.group())} times in a row. Take some of them out."
    for sign, most in caps.signs.items():
        if text.count(sign) > most:
            return f"“{sign}” stands in it {text.count(sign)} times; {most} is the most."
    if "|" in caps.signs and any(line.count("|") > caps.columns for line in text.split("\n")):
        return f"A table has at most {caps.columns - 1} columns."
    return ""


def _too_deep(text: str, caps: Caps) -> str:
    deep = any(_is_too_deep(line, caps) for line in text.split("\n"))
    return f"Lists and quotations go at most {caps.nesting} levels deep." if deep else ""


def _is_too_deep(line: str, caps: Caps) -> bool:
    match = MARKERS.match(line)
    lead = match.group().expandtabs(4) if match else ""
    marks = len(MARKER.findall(lead))
    indent = len(lead) - len(lead.lstrip(" "))
    return marks > caps.nesting or (marks > 0 and indent // 4 + marks > caps.nesting) or indent > caps.indent
