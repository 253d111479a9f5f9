"""TeX to MathML: the only MathML of a page. math-core draws it, and what it draws is written anew from a list.

Whatever can't be shown as it was meant (colours, boxes, commands of one's own) is an error, not something else.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from html import escape
from html.parser import HTMLParser

from math_core import LatexError, LatexToMathML

from courseiva.common.texts.formulas.dollars import Formula

LONGEST = 1_000
DEEPEST = 30
"""Characters and braces of a formula. math-core calls itself for each level: at 2,000 of them a thread's stack ends."""
EXPANSIONS = 200  # of its own abbreviations, such as \ldots
WIDE = 14
"""Signs beside each other from which a formula may be wider than a telephone whose text is twice as large; its box can
then be scrolled with keys."""
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
"""Set on any element in MathML Core; on these alone by MathML 3, which HTML is validated against."""
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
"""What changes a distance alone; our pages take no style attribute."""


class FormulaError(ValueError):
    """A formula that can't be drawn; the message is for its author."""


def drawn(formula: Formula) -> str:
    """The formula for a page, in a box of its own where it may be wide; one that can't be read, as it was typed."""
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
    """The formula as MathML for other systems, with its TeX as annotation. Raises FormulaError."""
    math, _ = _drawn(formula.tex, formula.display)
    inner = re.sub(r' class="[^"]*"', "", math[math.index(">") + 1 : -len("</math>")])
    display = ' display="block"' if formula.display else ""
    tex = f'<annotation encoding="application/x-tex">{escape(formula.tex, quote=False)}</annotation>'
    namespace = 'xmlns="http://www.w3.org/1998/Math/MathML"'
    return f"<math {namespace}{display}><semantics><mrow>{inner}</mrow>{tex}</semantics></math>"


def check(tex: str) -> None:
    """Raises FormulaError where the formula can't be drawn."""
    _drawn(tex, False)


SHOWN = re.compile(r'<math alttext="([^"]*)".*?</math>', re.DOTALL)
BOXED = re.compile(
    r'(?:<span( class="formula[^"]*")( tabindex="0")?[^>]*>)?(<math alttext="([^"]*)".*?</math>)(?(1)</span>)',
    re.DOTALL,
)


def named(html: str) -> str:
    """HTML of ours for a label: browsers leave MathML out of a radio's name, but not what names a box around it."""

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
    """MathML without wrapping, and how many signs stand in it. Raises FormulaError."""
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
    """Writes MathML anew: elements and attributes from the lists, styles as classes, all else an error."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.ends: list[str] = []
        self.width = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of the list with those attributes that are on it."""
        if tag not in ELEMENTS:
            raise FormulaError(f"<{tag}> can’t be shown here")
        given = {name: value or "" for name, value in attrs}
        classes = _classes(given.pop("style", ""))
        level = "" if tag in LEVELLED else _written(given, LEVELS)
        written = _written(given, ATTRIBUTES if tag in LEVELLED else ATTRIBUTES - LEVELS)
        self.parts.append((f"<mstyle{level}>" if level else "") + f"<{tag}{written}{classes}>")
        self.ends.append(f"</{tag}>" + ("</mstyle>" if level else ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content, closed as both HTML and XML read it."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """The end of an element, and of what its level is set by."""
        self.parts.append(self.ends.pop())

    def handle_data(self, data: str) -> None:
        """What is seen."""
        self.parts.append(escape(data, quote=False))
        self.width += len(data)


def _written(given: dict[str, str], names: frozenset[str]) -> str:
    return "".join(f' {name}="{escape(value)}"' for name, value in given.items() if name in names)


def _classes(style: str) -> str:
    """The classes that say what a style said; raises FormulaError for what none says."""
    names = []
    for rule in filter(None, (part.strip() for part in style.split(";"))):
        name, _, value = (part.strip() for part in rule.partition(":"))
        found = CLASSES.get(f"{name}:{value}") or CLASSES.get(name)
        if found:
            names.append(found)
        elif name not in PASSED_OVER:
            raise FormulaError(f"“{name}” can’t be set here")
    return f' class="{" ".join(names)}"' if names else ""
