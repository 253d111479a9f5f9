"""Formulas of other systems, wherever they are, as TeX between dollar signs.

They are taken out before the surrounding text is converted, and put back afterwards: ``\\(…\\)`` and ``\\[…\\]``
(Moodle, Canvas, Open edX), MathML, and pictures of formulas that include their TeX or MathML (Canvas, Moodle's TeX
filter, MathType in Blackboard and Moodle).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

from courseiva.common.texts.formulas.dollars import AFTER_MONEY, Formula, formulas_in
from courseiva.common.texts.formulas.mathml import FormulaError, check
from questions.formats.rules.items import CannotTake
from questions.formats.rules.reading.tex.mathml_tex import NoTex, tex_of

OPEN, CLOSE = "\ue004", "\ue005"
FORGED = re.compile(f"[{OPEN}{CLOSE}]")
SLOT = re.compile(rf"{OPEN}(\d+){CLOSE}(\s*)({AFTER_MONEY}?)")
DELIMITED = re.compile(
    r"(?<!\\)\\\((?P<inline>.+?)(?<!\\)\\\)|(?<!\\)\\\[(?P<block>.+?)(?<!\\)\\\]"
    r"|(?<![\\$])\$\$(?!\$)(?P<dollars>[^$]+)\$\$(?!\$)"
    r"|\[(?P<tag>mathjaxinline|mathjax|tex)\](?P<tagged>.+?)\[/(?P=tag)\]",
    re.DOTALL,
)
JUST_WORDS = re.compile(r"[\w\s.,;:!?'’-]*\Z")
SCRIPT = re.compile(r"^math/tex", re.IGNORECASE)
NOT_READ = {"code", "pre", "script", "style", "textarea", "kbd", "samp"}
COPIES = (".MathJax_Preview", ".katex-html", ".MathJax_Display", ".MathJax", "mjx-container > svg", "mjx-math")
MATHTYPE = str.maketrans({"«": "<", "»": ">", "¨": '"', "§": "&", "`": "'"})
TEX_ENCODINGS = {"application/x-tex", "tex", "latex", "application/x-latex"}
IMAGE_CLASSES = {"equation_image", "texrender", "latex", "tex"}
IN_ADDRESS = re.compile(r"/equation_images/([^?#]+)|latex\.codecogs\.com/[a-z.]+\?(.+)")
ARRANGED = {
    "mfrac",
    "msqrt",
    "mroot",
    "msub",
    "msup",
    "msubsup",
    "mmultiscripts",
    "munder",
    "mover",
    "munderover",
    "mtable",
}
"""Elements whose parts, read one after another, don’t say what the element says."""
MADE_FROM_TEX = re.compile(r"filter/tex/pix\.php|/mimetex|/equation_images/|latex\.codecogs\.com")


class Given:
    """The formulas of one text. ``refuse`` is called with why one can't be converted, and raises or warns."""

    def __init__(self, refuse: Callable[[str], None], warn: Callable[[str], None]) -> None:
        self.formulas: list[Formula] = []
        self.refuse = refuse
        self.warn = warn

    def out_of_html(self, soup: BeautifulSoup) -> None:
        """Replace every formula in an HTML tree by a placeholder."""
        self._drop_copies(soup)
        for math in soup.find_all(lambda tag: _local(tag) == "math"):
            if not any(_local(above) == "math" for above in math.parents):
                self._place(math, lambda math=math: self._of_mathml(math))  # type: ignore[misc]
        for part in soup.find_all(lambda tag: _local(tag) in ARRANGED):
            self._place(part, _homeless)
        for script in soup.find_all("script", type=SCRIPT):
            self._place(script, lambda script=script: self._of_script(script))  # type: ignore[misc]
        for image in soup.find_all("img"):
            self._image(image)
        for text in soup.find_all(string=DELIMITED):
            if type(text) is NavigableString and not any(above.name in NOT_READ for above in text.parents):
                text.replace_with(NavigableString(self.out_of_text(str(text))))

    def out_of_text(self, text: str) -> str:
        """The text with every delimited formula replaced by a placeholder."""
        return DELIMITED.sub(self._delimited, text)

    def put_in(self, markdown: str) -> str:
        """The Markdown with its formulas. Raises CannotTake if another dollar sign would run into one."""
        whole = SLOT.sub(self._filled, markdown)
        meant = [self.formulas[int(number)].tex for number, *_ in SLOT.findall(markdown)]
        if [found.tex for found in formulas_in(whole)] != meant:
            raise CannotTake("has a formula that can’t be told apart from the text around it")
        return whole

    def stands_alone(self, markdown: str) -> bool:
        """Whether the formulas can be put in without another dollar sign running into one."""
        try:
            self.put_in(markdown)
        except CannotTake:
            return False
        return True

    def _filled(self, found: re.Match[str]) -> str:
        formula = self.formulas[int(found.group(1))]
        space, after = found.group(2), found.group(3)
        # Directly after the closing dollar sign, such a character would turn the formula into plain text.
        return formula.source + space + (f"&#{ord(after)};" if after and not space and not formula.display else after)

    def slot(self, tex: str, display: bool) -> str:
        """A placeholder for a formula, which is kept as it is if valid between dollar signs, else put on one line.
        Raises NoTex."""
        if not _fits(tex, display):
            tex = " ".join(tex.translate({0xA0: " ", ord("`"): "\u2018"}).split())
            if (len(tex) - len(tex.rstrip("\\"))) % 2:
                tex += " {}"  # a space that was the formula's last character
        if not tex:
            return ""
        if not _fits(tex, display):
            raise NoTex("a dollar inside")
        try:
            check(tex)
        except FormulaError as error:
            self.warn(f"the formula “{tex[:60]}” can’t be drawn ({error}); correct it before publishing")
        self.formulas.append(Formula(tex, display))
        return f"{OPEN}{len(self.formulas) - 1}{CLOSE}"

    def _delimited(self, found: re.Match[str]) -> str:
        dollars = found["dollars"]
        if dollars is not None and JUST_WORDS.match(dollars):
            return found.group()
        tex = found["inline"] or found["block"] or dollars or found["tagged"]
        try:
            return self.slot(_on_one_line(tex), bool(found["block"] or dollars or found["tag"] == "mathjax"))
        except NoTex as reason:
            self._refused(reason)
            return found.group()

    def _refused(self, reason: NoTex) -> None:
        self.refuse(f"has a formula that can’t be written as TeX: {reason}")

    def _place(self, element: Tag, make: Callable[[], str]) -> None:
        try:
            slot = make()
        except NoTex as reason:
            self._refused(reason)
            # Without the formula around it, one over two would read "12".
            slot = element.get_text(strip=True) if len(list(element.stripped_strings)) < 2 else "[…]"
        element.replace_with(NavigableString(slot))

    def _of_mathml(self, math: Tag) -> str:
        """The MathML's TeX annotation if it can be rendered, else TeX converted from it."""
        display = math.get("display") == "block" or math.get("mode") == "display"
        for note in math.find_all(lambda tag: _local(tag) == "annotation"):
            if str(note.get("encoding") or "").lower() in TEX_ENCODINGS and _is_drawn(note.get_text()):
                return self.slot(_on_one_line(note.get_text()), display)
        tex = tex_of(math)
        try:
            check(tex)
        except FormulaError as error:
            raise NoTex(str(error)) from error
        return self.slot(tex, display)

    def _of_script(self, script: Tag) -> str:
        return self.slot(_on_one_line(script.get_text()), "display" in str(script.get("type")))

    def _image(self, image: Tag) -> None:
        """Replace a formula's picture using its attached source; other pictures stay."""
        mathml = str(image.get("data-mathml") or "")
        tex = _tex_beside(image)
        if tex:
            self._unlink(image)
            self._place(image, lambda: self.slot(tex, False))
        elif mathml:
            made = BeautifulSoup(mathml.translate(MATHTYPE) if "«" in mathml else mathml, "html.parser")
            math = made.find(lambda tag: _local(tag) == "math")
            if isinstance(math, Tag):
                self._place(image, lambda: self._of_mathml(math))

    @staticmethod
    def _unlink(image: Tag) -> None:
        """Moodle's filter links the picture to a page that shows its TeX."""
        link = image.parent
        if link is not None and link.name == "a" and "displaytex" in str(link.get("href") or link):
            link.unwrap()

    @staticmethod
    def _drop_copies(soup: BeautifulSoup) -> None:
        """Remove duplicates of a formula: a preview next to its script, MathML next to its picture."""
        if soup.find("script", type=SCRIPT):
            for copy in soup.select(", ".join(each for each in COPIES if each != ".katex-html")):
                copy.decompose()
        for copy in soup.select(".katex-html"):
            copy.decompose()
        for hidden in soup.select("img + .hidden-readable"):
            before = hidden.find_previous_sibling("img")
            if isinstance(before, Tag) and _tex_beside(before):
                hidden.decompose()


def _homeless() -> str:
    raise NoTex("its MathML is outside of <math>")


def _local(tag: Tag) -> str:
    return tag.name.lower().rpartition(":")[2]


def _on_one_line(tex: str) -> str:
    """The TeX without line breaks, which are meaningless in TeX but not in Markdown."""
    return " ".join(tex.split())


def _fits(tex: str, display: bool) -> bool:
    """Whether dollar signs around the TeX make all of it a formula."""
    whole = Formula(tex, display).source
    return [(each.tex, each.end) for each in formulas_in(whole)] == [(tex, len(whole))]


def _is_drawn(tex: str) -> bool:
    try:
        check(_on_one_line(tex))
    except FormulaError:
        return False
    return bool(tex.strip())


def _tex_beside(image: Tag) -> str:
    """The TeX attached to a formula's picture: Canvas, Moodle's TeX filter, pictures rendered from their URL."""
    stated = str(image.get("data-equation-content") or image.get("data-tex") or image.get("data-latex") or "")
    if stated.strip():
        return stated
    alt, title = str(image.get("alt") or ""), str(image.get("title") or "")
    if alt.lower().startswith("latex:"):
        return alt.partition(":")[2]
    address = str(image.get("src") or "")
    classes = {name.lower() for name in image.get("class") or []}
    if not (classes & IMAGE_CLASSES or MADE_FROM_TEX.search(address)):
        return ""
    in_address = IN_ADDRESS.search(address)
    tex = title or alt or (unquote(unquote(in_address.group(1) or in_address.group(2))) if in_address else "")
    return tex.strip().strip("$")
