"""Which dollar signs in Markdown enclose a formula, and how formulas bypass parser and sanitiser.

The rule is pandoc's (tex_math_dollars): the opening sign has no space after it, the closing one no space before it and
no digit after it, so that "$5 and $7" stays money; nor a capital, underscore or brace, so that $HOME/$USER stays too.
``$$`` sets a formula on separate lines. Neither kind contains an empty line, a backtick or another dollar sign; ``\\$``
is a dollar sign.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

MARK_OPEN, MARK_CLOSE = "\ue000", "\ue001"
"""Placed around a clue while its text is parsed; never in a formula."""
SLOT_OPEN, SLOT_CLOSE = "\ue002", "\ue003"
FORGED = re.compile(f"[{SLOT_OPEN}{SLOT_CLOSE}]")
AFTER_MONEY = r"[\dA-Z_{]"
"""After a dollar sign, these make it start an amount or a variable instead of ending a formula."""
MARKS = f"[{MARK_OPEN}{MARK_CLOSE}]"
ATOM = rf"(?:\\[^\n{MARK_OPEN}{MARK_CLOSE}]|[^\\$`\s{MARK_OPEN}{MARK_CLOSE}])"
SPACE = r"(?:[^\S\n]|\n(?![^\S\n]*\n))"
TEX = rf"{ATOM}(?:{SPACE}*{ATOM})*"
SCAN = re.compile(  # code and addresses are skipped
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??(?P=fence)[ ]*$"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[^\S\n]*\n).)+?(?<!`)(?P=ticks)(?!`)"
    r"|\]\([^()\n]*\)|<(?:https?|mailto):[^<>\s]*>|^[ ]{0,3}\[[^\]\n]+\]:[^\n]*$"
    rf"|\$\${SPACE}*(?P<block>{TEX}){SPACE}*\$\$(?!\$)"
    rf"|\$(?P<inline>{TEX})\$(?!\$|{MARKS}*{AFTER_MONEY})"
    r"|\$\$+|\\.",
    re.MULTILINE | re.DOTALL,
)
SLOT = re.compile(rf"<code\b[^>]*>.*?</code>|<[^>]*>|{SLOT_OPEN}\d+{SLOT_CLOSE}", re.DOTALL)
NUMBER = re.compile(rf"{SLOT_OPEN}(\d+){SLOT_CLOSE}")


@dataclass(frozen=True)
class Formula:
    """TeX, whether it is displayed on its own line, and its span in the text, including the dollar signs."""

    tex: str
    display: bool
    start: int = 0
    end: int = 0

    @property
    def source(self) -> str:
        """The formula as typed."""
        return f"$${self.tex}$$" if self.display else f"${self.tex}$"

    @property
    def delimited(self) -> str:
        """The formula as in other systems' HTML."""
        return rf"\[{self.tex}\]" if self.display else rf"\({self.tex}\)"


def formulas_in(text: str) -> Iterator[Formula]:
    """The formulas of a text, in order."""
    if text.count("$") < 2:
        return
    for found in SCAN.finditer(text):
        block, inline = found["block"], found["inline"]
        if block or inline:
            yield Formula(block or inline, bool(block), found.start(), found.end())


def replaced(text: str, write: Callable[[Formula], str]) -> str:
    """The text with each formula replaced."""
    parts, behind = [], 0
    for formula in formulas_in(text):
        parts += [text[behind : formula.start], write(formula)]
        behind = formula.end
    return "".join([*parts, text[behind:]])


def without_formulas(text: str) -> str:
    return replaced(text, lambda _: " ")


def taken_out(text: str) -> tuple[str, list[Formula]]:
    """The formulas, and the text with placeholders that neither parser nor sanitiser changes."""
    formulas: list[Formula] = []

    def slot(formula: Formula) -> str:
        formulas.append(formula)
        return f"{SLOT_OPEN}{len(formulas) - 1}{SLOT_CLOSE}"

    return replaced(FORGED.sub("", text), slot), formulas


def put_in(html: str, formulas: list[Formula], draw: Callable[[Formula], str]) -> str:
    """Clean HTML with the formulas back in place; in code and in addresses, as they were typed."""
    if not formulas:
        return html

    def filled(found: re.Match[str]) -> str:
        if found.group().startswith(SLOT_OPEN):
            return draw(formulas[int(found.group()[1:-1])])
        return NUMBER.sub(lambda slot: escape(formulas[int(slot[1])].source), found.group())

    return SLOT.sub(filled, html)


def around_formulas(text: str, start: int, end: int) -> tuple[int, int]:
    """The span from ``start`` to ``end``, widened if it begins or ends inside a formula."""
    for formula in formulas_in(text):
        if formula.start < start < formula.end:
            start = formula.start
        if formula.start < end < formula.end:
            end = formula.end
    return start, end
