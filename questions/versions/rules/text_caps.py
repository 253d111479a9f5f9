"""Which Markdown is refused before parsing, because it would be slow to parse.

The parser takes quadratic time for many opening symbols, alone or combined, and more for depth; a table is as large as
its widest line times its lines. The numbers are measured (tests/questions/test_text_caps.py). Formulas never reach the
parser, so their symbols aren't counted, only their dollar signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from courseiva.common.texts.formulas.dollars import without_formulas

RUN = re.compile(r"([\[<*_`~\\>!&])\1{11,}")
MARKERS = re.compile(r"[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]*)*")
MARKER = re.compile(r">|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])")


@dataclass(frozen=True)
class Caps:
    """A text's limits: characters, lines, depth of lists, indent, columns, and how often each symbol."""

    characters: int
    lines: int
    signs: Mapping[str, int]
    nesting: int = 6
    indent: int = 40
    columns: int = 12


EDITORS = Caps(
    characters=5_000,
    lines=250,
    signs={"[": 80, "<": 100, "*": 240, "_": 300, "`": 300, "~": 60, "\\": 160, "&": 240, "!": 240, "|": 600, "$": 200},
)
"""For one text of a question, or one part of a study module."""
WHOLE = Caps(characters=25_000, lines=1_000, signs={sign: 3 * most for sign, most in EDITORS.signs.items()})
"""For all texts of a question together, which a preview renders at once."""


@dataclass(frozen=True)
class Refusal:
    """Why a text is refused: a code for programs, and words for the person who typed it."""

    code: str
    words: str


def pathology(text: str, caps: Caps) -> Refusal | None:
    """Why a text would be slow to parse; None if it wouldn't."""
    return _too_long(text, caps) or _too_many_signs(text, caps) or _too_deep(text, caps)


def refused_text(prose: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """The path of a question's first text that would be slow to render, and why; "" and "" if none would."""
    texts = list(prose)
    for path, text in texts:
        if why := pathology(text, EDITORS):
            return path, why.words
    why = pathology("\n".join(text for _, text in texts), WHOLE)
    return ("stem", f"All the question’s text together: {why.words}") if why else ("", "")


def _too_long(text: str, caps: Caps) -> Refusal | None:
    if len(text) > caps.characters:
        return Refusal("characters", f"At most {caps.characters:,} characters; this text has {len(text):,}.")
    lines = text.count("\n") + 1
    if lines > caps.lines:
        return Refusal("lines", f"At most {caps.lines} lines; this text has {lines:,}.")
    return None


def _too_many_signs(text: str, caps: Caps) -> Refusal | None:
    dollars, text = text.count("$"), without_formulas(text)
    run = RUN.search(text)
    if run:
        said = f"“{run.group(1)}” appears {len(run.group())} times in a row. Remove some of them."
        return Refusal("run", said)
    for sign, most in caps.signs.items():
        count = dollars if sign == "$" else text.count(sign)
        if count > most:
            return Refusal("signs", f"“{sign}” appears {count} times; the limit is {most}.")
    if "|" in caps.signs and any(line.count("|") > caps.columns for line in text.split("\n")):
        return Refusal("columns", f"Tables can have at most {caps.columns - 1} columns.")
    return None


def _too_deep(text: str, caps: Caps) -> Refusal | None:
    if any(_is_too_deep(line, caps) for line in text.split("\n")):
        return Refusal("depth", f"Lists and quotes can be at most {caps.nesting} levels deep.")
    return None


def _is_too_deep(line: str, caps: Caps) -> bool:
    match = MARKERS.match(line)
    lead = match.group().expandtabs(4) if match else ""
    marks = len(MARKER.findall(lead))
    indent = len(lead) - len(lead.lstrip(" "))
    return marks > caps.nesting or (marks > 0 and indent // 4 + marks > caps.nesting) or indent > caps.indent
