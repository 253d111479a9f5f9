"""Presentation MathML (W3C MathML 3, chapter 3) to TeX that our pages can render.

Anything without equivalent TeX here, such as struck-out terms or content MathML, raises NoTex: a formula is converted
completely or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from bs4 import Tag
from bs4.element import NavigableString

from questions.formats.rules.reading.tex.tex_names import ACCENTS_OVER, ACCENTS_UNDER, ALPHABETS, FUNCTIONS, SYMBOLS

SPECIAL = {"#": r"\#", "$": r"\$", "%": r"\%", "&": r"\&", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\sim",
           "^": r"\hat{}", "\\": r"\backslash", "`": "\u2018"}  # fmt: skip
IN_TEXT = {sign: f"\\{sign}" for sign in "#$%&_{}"} | {
    "\\": r"\textbackslash ",
    "`": "\u2018",
    "^": r"\textasciicircum ",
    "~": r"\textasciitilde ",
}
UNSEEN = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064\u200b\ufeff\ufe00"))
OPENING, CLOSING = "([{⟨⌊⌈|‖", ")]}⟩⌋⌉|‖"
LARGE = re.compile(r"\\(?:sum|prod|coprod|i{0,2}int|oint|big[a-z]+|lim(?:sup|inf)?|max|min|sup|inf|arg(?:max|min)"
                   r"|operatorname\*?\{\w+\}|det|gcd|Pr|underbrace\{.*\}|overbrace\{.*\})\Z")  # fmt: skip
COMMAND_END = re.compile(r"\\[A-Za-z]+\Z")
PRIMES = {"\u2032": "'", "″": "''", "‴": "'''", "'": "'"}
NUMBER = re.compile(r"-?(\d*\.?\d+)")


class NoTex(ValueError):
    """Why the formula can't be written as TeX."""


def tex_of(node: Tag) -> str:
    """The TeX of a ``math`` element. Raises NoTex."""
    return _row(_elements(node)).strip()


def _elements(node: Tag) -> list[Tag]:
    """The child elements; loose text between them is a token without a name and can't be placed."""
    if any(type(part) is NavigableString and part.strip() for part in node.children):
        raise NoTex("text outside of its elements")
    return [part for part in node.children if isinstance(part, Tag)]


def _name(node: Tag) -> str:
    return node.name.lower().rpartition(":")[2]


def _tex(node: Tag) -> str:
    make = MAKERS.get(_name(node))
    if make is None:
        raise NoTex(f"<{_name(node)}>")
    return make(node)


def _joined(parts: Iterable[str]) -> str:
    """TeX side by side; a command doesn't run into a letter."""
    whole = ""
    for part in parts:
        whole += " " + part if COMMAND_END.search(whole) and part[:1].isalpha() else part
    return whole


def _row(nodes: list[Tag]) -> str:
    """A row; if it is enclosed in brackets, they grow with it, as in MathML."""
    if len(nodes) > 1 and _grows(nodes[0], OPENING):
        if len(nodes) > 2 and _grows(nodes[-1], CLOSING):
            return _fenced(_fence(nodes[0]), _joined(map(_tex, nodes[1:-1])), _fence(nodes[-1]))
        if any(_name(part) == "mtable" for node in nodes for part in (node, *node.find_all(recursive=False))):
            return _fenced(_fence(nodes[0]), _joined(map(_tex, nodes[1:])), ".")
    return _joined(map(_tex, nodes))


def _grows(node: Tag, signs: str) -> bool:
    return _name(node) == "mo" and node.get("stretchy") != "false" and _words(node) in tuple(signs)


def _fence(node: Tag) -> str:
    return _delimiter(_words(node))


def _delimiter(sign: str) -> str:
    return {"{": r"\{", "}": r"\}", "": ".", "|": "|"}.get(sign) or SYMBOLS.get(sign) or sign


def _fenced(left: str, inner: str, right: str) -> str:
    return _joined((r"\left" + left, inner, r"\right" + right))


def _words(node: Tag) -> str:
    if any(isinstance(part, Tag) for part in node.children):
        raise NoTex(f"an element inside <{_name(node)}>")
    return " ".join(node.get_text().translate(UNSEEN).split())


def _signs(text: str) -> str:
    return _joined(SPECIAL.get(sign) or SYMBOLS.get(sign) or sign for sign in text if not sign.isspace())


def _identifier(node: Tag) -> str:
    text = _words(node)
    variant = str(node.get("mathvariant") or "")
    if text in FUNCTIONS:
        return f"\\{text}"
    alphabet = ALPHABETS.get(variant)
    if variant and alphabet is None:
        raise NoTex(f"the letters “{variant}”")
    if len(text) > 1 and text.isalpha() and text.isascii():
        return f"{alphabet or chr(92) + 'mathrm'}{{{text}}}"
    tex = _signs(text)
    upright = variant == "normal" and not text.isalpha()  # symbols are upright anyway
    return f"{alphabet}{{{tex}}}" if alphabet and tex and not upright else tex


def _number(node: Tag) -> str:
    return _signs(_words(node)).replace(",", "{,}")


def _operator(node: Tag) -> str:
    text = _words(node)
    if text in FUNCTIONS:
        return f"\\{text}"
    if len(text) > 1 and text.isalpha() and text.isascii():
        return rf"\operatorname{{{text}}}"
    return _signs(text)


def _text(node: Tag) -> str:
    text = node.get_text().translate(UNSEEN).replace("\xa0", " ")
    if not text.strip():
        return r"\ " if text else ""
    shown = "".join(IN_TEXT.get(sign, sign) for sign in re.sub(r"\s+", " ", text))
    return rf"\text{{{shown}}}"


def _space(node: Tag) -> str:
    width = str(node.get("width") or "")
    found = NUMBER.match(width)
    if width.startswith("-") or not found or not float(found.group(1)):
        return ""
    wide = float(found.group(1)) * (1 if "em" in width else 0.05)  # other units are about 16 to the em
    return r"\quad" if wide >= 0.7 else r"\;" if wide > 0.2 else r"\,"


def _several(node: Tag, count: int) -> list[Tag]:
    parts = _elements(node)
    if len(parts) != count:
        raise NoTex(f"<{_name(node)}> with {len(parts)} parts in place of {count}")
    return parts


def _fraction(node: Tag) -> str:
    above, below = map(_tex, _several(node, 2))
    if str(node.get("bevelled")).lower() == "true":
        return f"{{{above}}}/{{{below}}}"
    thickness = NUMBER.match(str(node.get("linethickness") or "1"))
    if thickness and not float(thickness.group(1)):
        return rf"\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}"
    return rf"\frac{{{above}}}{{{below}}}"


def _root(node: Tag) -> str:
    inner, degree = map(_tex, _several(node, 2))
    return rf"\sqrt[{{{degree}}}]{{{inner}}}" if "]" in degree else rf"\sqrt[{degree}]{{{inner}}}"


def _base(tex: str) -> str:
    """The base for a script, in braces if needed."""
    return tex if len(tex) == 1 or COMMAND_END.fullmatch(tex) or LARGE.match(tex) else f"{{{tex}}}"


def _scripted(base: str, sub: str = "", sup: str = "") -> str:
    below = f"_{{{sub}}}" if sub else ""
    above = sup if sup.startswith("'") else f"^{{{sup}}}" if sup else ""
    return f"{_base(base)}{above}{below}" if above.startswith("'") else f"{_base(base)}{below}{above}"


def _script(node: Tag) -> str:
    text = node.get_text().strip()
    return PRIMES.get(text) or _tex(node)


def _sub(node: Tag) -> str:
    base, sub = _several(node, 2)
    return _scripted(_tex(base), _tex(sub))


def _sup(node: Tag) -> str:
    base, sup = _several(node, 2)
    return _scripted(_tex(base), sup=_script(sup))


def _sub_sup(node: Tag) -> str:
    base, sub, sup = _several(node, 3)
    return _scripted(_tex(base), _tex(sub), _script(sup))


def _under(node: Tag) -> str:
    base, under = _several(node, 2)
    tex = _tex(base)
    accent = ACCENTS_UNDER.get(under.get_text().strip())
    if accent:
        return f"{accent}{{{tex}}}"
    return _scripted(tex, _tex(under)) if LARGE.match(tex) else rf"\underset{{{_tex(under)}}}{{{tex}}}"


def _over(node: Tag) -> str:
    base, over = _several(node, 2)
    tex = _tex(base)
    accent = ACCENTS_OVER.get(over.get_text().strip())
    if accent:
        return f"{accent[len(tex) > 1 and not COMMAND_END.fullmatch(tex)]}{{{tex}}}"
    return _scripted(tex, sup=_tex(over)) if LARGE.match(tex) else rf"\overset{{{_tex(over)}}}{{{tex}}}"


def _under_over(node: Tag) -> str:
    base, under, over = map(_tex, _several(node, 3))
    if LARGE.match(base):
        return _scripted(base, under, over)
    return rf"\overset{{{over}}}{{\underset{{{under}}}{{{base}}}}}"


def _prescripted(node: Tag) -> str:
    """Base, pairs of scripts after it, then pairs before it."""
    base, *rest = _elements(node) or [node]
    names = [_name(part) for part in rest]
    end = names.index("mprescripts") if "mprescripts" in names else len(rest)
    before = rest[end + 1 :]
    if base is node or end > 2 or len(before) > 2 or len(rest[:end]) % 2 or len(before) % 2:
        raise NoTex("<mmultiscripts> of this form")
    pairs = [["" if _name(part) == "none" else _script(part) for part in part_of] for part_of in (before, rest[:end])]
    (left_sub, left_sup), (sub, sup) = (pair or ["", ""] for pair in pairs)
    return _scripted("{}", left_sub, left_sup)[1:-1].replace("{}}", "{}", 1) + _scripted(_tex(base), sub, sup)


def _table(node: Tag) -> str:
    rows = _elements(node)
    if not rows or any(_name(row) != "mtr" for row in rows):
        raise NoTex("a table of numbered rows")
    cells = [[_row(_elements(cell)) for cell in _elements(row)] for row in rows]
    columns = max(map(len, cells))
    sides = [side[:1] for side in str(node.get("columnalign") or "").split()]
    body = r" \\ ".join(" & ".join(row) for row in cells)
    if not sides or set(sides) == {"c"}:
        return rf"\begin{{matrix}}{body}\end{{matrix}}"
    spec = "".join((sides + [sides[-1]] * columns)[:columns])
    return rf"\begin{{array}}{{{spec}}}{body}\end{{array}}"


def _in_brackets(node: Tag) -> str:
    left, right = str(node.get("open", "(")).strip(), str(node.get("close", ")")).strip()
    given = "".join(str(node.get("separators", ",")).split())
    parts = [_tex(part) for part in _elements(node)]
    inner = []
    for place, part in enumerate(parts):
        sign = given[min(place, len(given)) - 1] if place and given else ""
        inner += [SPECIAL.get(sign) or sign, part] if sign else [part]
    return _fenced(_delimiter(left), _joined(inner), _delimiter(right))


def _semantics(node: Tag) -> str:
    parts = _elements(node)
    if not parts:
        raise NoTex("<semantics> without content")
    return _tex(parts[0])


def _enclosed(node: Tag) -> str:
    inner = _row(_elements(node))
    marks = {"radical": r"\sqrt", "top": r"\overline", "bottom": r"\underline"}
    notation = str(node.get("notation") or "longdiv").strip()
    if notation not in marks:
        raise NoTex(f"the enclosure “{notation}”")
    return f"{marks[notation]}{{{inner}}}"


def _inner(node: Tag) -> str:
    return _row(_elements(node))


def _nothing(_: Tag) -> str:
    return ""


def _grouped(before: str) -> Callable[[Tag], str]:
    return lambda node: f"{before}{{{_inner(node)}}}"


MAKERS: dict[str, Callable[[Tag], str]] = {
    "math": _inner, "mrow": _inner, "mstyle": _inner, "mpadded": _inner, "mtd": _inner, "none": _nothing,
    "mi": _identifier, "mn": _number, "mo": _operator, "mtext": _text, "ms": _text, "mspace": _space,
    "mfrac": _fraction, "msqrt": _grouped(r"\sqrt"), "mroot": _root, "mphantom": _grouped(r"\phantom"),
    "msub": _sub, "msup": _sup, "msubsup": _sub_sup, "mmultiscripts": _prescripted,
    "munder": _under, "mover": _over, "munderover": _under_over,
    "mtable": _table, "mfenced": _in_brackets, "semantics": _semantics, "menclose": _enclosed,
}  # fmt: skip
