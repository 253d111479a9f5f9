r"""Formulas in Moodle's Markdown, both ways: ``\\(…\\)``, which Markdown turns into the ``\(…\)`` that Moodle renders.

The TeX in between is Markdown too, so anything that Markdown would interpret is escaped by a backslash.
"""

from __future__ import annotations

import re
from html import unescape

from courseiva.common.texts.formulas.dollars import Formula, replaced
from questions.formats.rules.reading.tex.given_formulas import FORGED, Given

INNER = r"(?:\\[^\n]|(?!\n[^\S\n]*\n)[^\\])+?"
FOUND = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?P=fence)[ ]*$|(?<!`)(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)"
    rf"|\\\\\((?P<inline>{INNER})\\\\\)|\\\\\[(?P<block>{INNER})\\\\\]|\\.",
    re.MULTILINE | re.DOTALL,
)
MEANT = re.compile(r"[\\*_\[\]()|]|^[^\S\n]*[-+#>]", re.MULTILINE)
BACKSLASHED = re.compile(r"\\([\\`*_{}\[\]()>#+.!|<-])")


def to_moodle(text: str) -> str:
    """Our Markdown as Moodle's; anything that only looks like a formula there is escaped."""
    return replaced(FOUND.sub(_not_meant, text), _written)


def _not_meant(found: re.Match[str]) -> str:
    whole = found.group()
    return f"{whole[:2]}&#{ord(whole[2])};{whole[3:]}" if found["inline"] or found["block"] else whole


def _written(formula: Formula) -> str:
    tex = formula.tex.replace("&", "&amp;").replace("<", "&lt;")
    tex = MEANT.sub(lambda found: f"{found.group()[:-1]}\\{found.group()[-1]}", tex)
    return rf"\\[{tex}\\]" if formula.display else rf"\\({tex}\\)"


def from_moodle(text: str, given: Given) -> str:
    """Moodle's Markdown as ours. Raises CannotTake if a formula can't be told from the surrounding text."""
    if not any(found["inline"] or found["block"] for found in FOUND.finditer(text)):
        return text

    def slot(found: re.Match[str]) -> str:
        inner = found["inline"] or found["block"]
        if not inner:
            return found.group()
        tex = unescape(BACKSLASHED.sub(r"\1", inner)).strip()
        return given.slot(tex, bool(found["block"]))

    return given.put_in(FOUND.sub(slot, FORGED.sub("", text)))
