"""TeX to MathML: the only source of MathML in a page.

math-core converts it, and its output is rewritten with an allowlist. Anything that can't be shown as intended (colours,
boxes, user-defined commands) is an error rather than something else.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from html import escape
from html.parser import HTMLParser

from math_core import LatexError, LatexToMathML

from courseiva.common.texts.formulas.dollars import Formula

# A formula of more than a thousand characters would be a program, and no page has room for it.
LONGEST = 1_000
DEEPEST = 30
"""Nesting of braces in a formula. math-core recurses for each level: at 2,000, a thread's stack overflows."""
EXPANSIONS = 200  # of math-core's own macros, such as \ldots
WIDE = 14
"""From this many characters in a row on, a formula may be wider than a phone whose text is twice as large, and its box
scrolls with the keyboard."""
OWN_COMMANDS = re.compile(r"\\(?:(?:re)?newcommand|providecommand|def|edef|gdef|xdef|let|newenvironment)(?![A-Za-z])")
COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%")
ESCAPED = re.compile(r"\\.", re.DOTALL)
ELEMENTS = frozenset(
    "math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts"  # noqa: SIM905
    " mprescripts mtable mtr mtd mphantom mpadded mstyle b i em code".split()
)
ATTRIBUTES = frozenset(
    "display stretchy lspace rspace minsize maxsize form fence separator movablelimits symmetric largeop accent"  # noqa: SIM905
    " accentunder displaystyle scriptlevel linethickness mathvariant width height depth voffset".split()
)
LEVELS, LEVELLED = frozenset({"displaystyle", "scriptlevel"}), {"math", "mstyle"}
"""Allowed on any element in MathML Core; only on these in MathML 3, which HTML validators check against."""
CLASSES = {
    "text-align:left": "m-left",
    "text-align:right": "m-right",
    "padding-left:0": "m-tight-left",
    "padding-left:1em": "m-apart",
    "padding-right:0": "m-tight-right",
    "border-left": "m-line-left",
    "border-right": "m-line-right",
    "border-top": "m-line-top",
}
PASSED_OVER = frozenset(
    "justify-items padding-left padding-right padding-top padding-bottom width margin-left math-shift".split()  # noqa: SIM905
)
"""Styles that only change spacing: our pages allow no style attributes."""


class FormulaError(ValueError):
    """A formula that can't be rendered; the message is for its author."""


def drawn(formula: Formula) -> str:
    """The formula for a page, in its own box if it may be wide; if it can't be read, as typed."""
    try:
        math, width = _drawn(formula.tex, formula.display)
    except FormulaError:
        return escape(formula.source)
    math = math.replace("<math", f'<math alttext="{escape(formula.tex)}"', 1)
    if not formula.display and width < WIDE:
        return math
    name = "formula is-block" if formula.display else "formula"
    keys = ' tabindex="0" role="group" aria-label="Formula"' if width >= WIDE else ""
    return f'<span class="{name}"{keys}>{math}</span>'


def as_xml(formula: Formula) -> str:
    """The formula as MathML for other systems, annotated with its TeX. Raises FormulaError."""
    math, _ = _drawn(formula.tex, formula.display)
    inner = re.sub(r' class="[^"]*"', "", math[math.index(">") + 1 : -len("</math>")])
    display = ' display="block"' if formula.display else ""
    tex = f'<annotation encoding="application/x-tex">{escape(formula.tex, quote=False)}</annotation>'
    namespace = 'xmlns="http://www.w3.org/1998/Math/MathML"'
    return f"<math {namespace}{display}><semantics><mrow>{inner}</mrow>{tex}</semantics></math>"


def check(tex: str) -> None:
    """Raises FormulaError if the formula can't be rendered."""
    _drawn(tex, False)


SHOWN = re.compile(r'<math alttext="([^"]*)".*?</math>', re.DOTALL)
BOXED = re.compile(
    r'(?:<span( class="formula[^"]*")( tabindex="0")?[^>]*>)?(<math alttext="([^"]*)".*?</math>)(?(1)</span>)',
    re.DOTALL,
)


def named(html: str) -> str:
    """Our HTML for a label: browsers leave MathML out of a radio button's name, but not the name of a box around it."""

    def box(found: re.Match[str]) -> str:
        given, keys, math, tex = found.groups(default="")
        return f'<span{given}{keys} role="group" aria-label="{tex}">{math}</span>'

    return BOXED.sub(box, html) if "<math" in html else html


def as_text(html: str) -> str:
    """Our HTML with each formula replaced by its TeX, for plain text."""
    return SHOWN.sub(r"\1", html)


class _Tools(threading.local):
    """A converter for each thread."""

    def __init__(self) -> None:
        self.converter = LatexToMathML(fancy_error=False, max_expansions=EXPANSIONS)


_tools = _Tools()


@lru_cache(maxsize=1024)
def _drawn(tex: str, display: bool) -> tuple[str, int]:
    """The MathML, and how many characters it contains. Raises FormulaError."""
    _refuse(tex)
    try:
        made = _tools.converter.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        said = str(error).partition(": ")[2].rstrip(".")
        raise FormulaError(said[:1].lower() + said[1:]) from error
    writer = _Writer()
    writer.feed(made)
    writer.close()
    return "".join(writer.parts), writer.width


def _refuse(tex: str) -> None:
    if len(tex) > LONGEST:
        raise FormulaError(f"longer than {LONGEST:,} characters")
    if OWN_COMMANDS.search(tex):
        raise FormulaError("commands can’t be defined in a formula")
    if COMMENT.search(tex):
        raise FormulaError("“%” hides what follows it; write “\\%”")
    depth = deepest = 0
    for sign in ESCAPED.sub("", tex):
        depth += (sign == "{") - (sign == "}")
        deepest = max(deepest, depth)
    if deepest > DEEPEST or max(tex.count("\\left"), tex.count("\\begin"), tex.count("\\sqrt")) > DEEPEST:
        raise FormulaError(f"more than {DEEPEST} levels deep")


class _Writer(HTMLParser):
    """Rewrites MathML: elements and attributes on the lists, styles as classes; anything else is an error."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.ends: list[str] = []
        self.width = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An allowed element with its allowed attributes."""
        if tag not in ELEMENTS:
            raise FormulaError(f"<{tag}> can’t be shown here")
        given = {name: value or "" for name, value in attrs}
        classes = _classes(given.pop("style", ""))
        level = "" if tag in LEVELLED else _written(given, LEVELS)
        written = _written(given, ATTRIBUTES if tag in LEVELLED else ATTRIBUTES - LEVELS)
        self.parts.append((f"<mstyle{level}>" if level else "") + f"<{tag}{written}{classes}>")
        self.ends.append(f"</{tag}>" + ("</mstyle>" if level else ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An empty element, closed in a way that both HTML and XML accept."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """The end of an element, and of the element that sets its level."""
        self.parts.append(self.ends.pop())

    def handle_data(self, data: str) -> None:
        """Visible text."""
        self.parts.append(escape(data, quote=False))
        self.width += len(data)


def _written(given: dict[str, str], names: frozenset[str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in given.items() if name in names)


def _classes(style: str) -> str:
    """The classes equivalent to a style; raises FormulaError if there are none."""
    names = []
    for rule in filter(None, (part.strip() for part in style.split(";"))):
        name, _, value = (part.strip() for part in rule.partition(":"))
        found = CLASSES.get(f"{name}:{value}") or CLASSES.get(name)
        if found:
            names.append(found)
        elif name not in PASSED_OVER:
            raise FormulaError(f"“{name}” can’t be set here")
    return f' class="{" ".join(names)}"' if names else ""
