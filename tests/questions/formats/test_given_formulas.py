"""Formulas from other systems come in as TeX and go out as each of them writes it; ½ never becomes 12."""

from __future__ import annotations

import dataclasses
import io

import pytest
from bs4 import BeautifulSoup, Tag
from hypothesis import given, settings
from hypothesis import strategies as st

from courseiva.common.rich_text import render
from courseiva.common.texts.formulas.dollars import Formula, formulas_in
from courseiva.common.texts.formulas.mathml import check, drawn
from questions.formats.rules.items import CannotTake, Item, ItemOption, Skipped
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.tex.mathml_tex import NoTex, tex_of
from questions.formats.rules.reading.tex.tex_names import ACCENTS_OVER, ACCENTS_UNDER, ALPHABETS, FUNCTIONS, SYMBOLS
from questions.formats.rules.registry import BY_NAME, read_items
from tests.questions.formats.samples import QTI_21
from tests.questions.formats.test_corners import found, moodle, one

HALF = "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>"
SAMPLES = [
    r"\frac{1}{2}", r"x^{2}", r"x_{1}^{2}", r"\sqrt{2}", r"\sqrt[3]{x+1}", r"\sum_{i=1}^{n}x_{i}",
    r"\left(\begin{matrix}a & b \\ c & d\end{matrix}\right)", r"\text{precision}=\frac{TP}{TP+FP}",
    r"\left(\frac{a}{b}\right)", r"x<y", r"\hat{y}", r"\overline{xy}", r"\vec{v}", r"f'(x)", r"\lim_{x\to0}f",
    r"\underbrace{a+b}_{n}", r"\Vert x\Vert_{2}", r"\log_{2}n", r"\int_{0}^{1}e^{-x^{2}}\,dx", r"10\%", r"\{1,2\}",
    r"\sigma(z)=\frac{1}{1+e^{-z}}", r"\left|\frac{a}{b}\right|", r"P(A\mid B)", r"\nabla_{\theta}J", r"a\quad b",
    r"{}_{6}^{14}C", r"\mathbb{R}", r"\left\{\begin{matrix}1 & x>0 \\ 0 & x\leq0\end{matrix}\right.",
    r"\text{5 \% of \$3 \& more}", r"\overset{!}{=}", r"\phantom{x}y", r"\arg\max_{x}f", r"x'_{1}",
]  # fmt: skip


def math(inner: str) -> str:
    return tex_of(BeautifulSoup(f"<math>{inner}</math>", "html.parser").math)  # type: ignore[arg-type]


def formula_in(html: str) -> Tag:
    """Return the MathML that our pages draw, without the box around a wide formula."""
    found = BeautifulSoup(html, "html.parser").math
    assert found is not None
    return found


@pytest.mark.parametrize("tex", SAMPLES)
def test_a_formula_our_pages_draw_is_read_back_the_same(tex: str) -> None:
    shown = formula_in(drawn(Formula(tex, False)))
    again = formula_in(drawn(Formula(tex_of(shown), False)))
    assert again.decode_contents() == shown.decode_contents()


@pytest.mark.parametrize(
    "tex",
    [
        *SYMBOLS.values(), *(f"\\{name}" for name in sorted(FUNCTIONS)),
        *(f"{each}{{x}}" for each in ALPHABETS.values() if each),
        *(f"{each}{{x}}" for pair in ACCENTS_OVER.values() for each in pair),
        *(f"{each}{{x}}" for each in ACCENTS_UNDER.values()),
    ],
)  # fmt: skip
def test_every_tex_command_we_write_can_be_drawn(tex: str) -> None:
    check(tex)


@pytest.mark.parametrize(
    ("inner", "tex"),
    [
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", r"\frac{1}{2}"),
        ("<mrow><mi>a</mi><mo>&#x2062;</mo><mi>b</mi></mrow>", "ab"),
        ("<mi>TP</mi><mo>+</mo><mi>&alpha;</mi><mi>x</mi>", r"\mathrm{TP}+\alpha x"),
        ("<mi mathvariant='bold'>w</mi><mi mathvariant='double-struck'>R</mi>", r"\mathbf{w}\mathbb{R}"),
        ("<mfenced open='[' close=')'><mi>a</mi><mi>b</mi></mfenced>", r"\left[a,b\right)"),
        ("<mfenced separators=''><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac></mfenced>",
         r"\left(\genfrac{}{}{0pt}{}{n}{k}\right)"),
        ("<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup>", r"{\left(a\right)}^{2}"),
        ("<munderover><mo>&#x2211;</mo><mi>i</mi><mi>n</mi></munderover>", r"\sum_{i}^{n}"),
        ("<munder><mi>lim</mi><mi>n</mi></munder>", r"\lim_{n}"),
        ("<mover><mi>x</mi><mo>&#xAF;</mo></mover><mover><mi>x</mi><mo>&#x2192;</mo></mover>", r"\bar{x}\vec{x}"),
        ("<mtable columnalign='right left'><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable>",
         r"\begin{array}{rl}a & b\end{array}"),
        ("<mn>1,000</mn><mo>%</mo>", r"1{,}000\%"),
        ("<mtext>of&#xA0;all</mtext><mspace width='1em'/><mi>x</mi>", r"\text{of all}\quad x"),
        ("<mstyle mathcolor='red'><msqrt><mi>x</mi></msqrt></mstyle>", r"\sqrt{x}"),
        ("<semantics><mi>x</mi><annotation encoding='MathType'>junk</annotation></semantics>", "x"),
        ("<m:mi>x</m:mi>", "x"),
    ],
)  # fmt: skip
def test_presentation_mathml_is_read_as_tex(inner: str, tex: str) -> None:
    assert math(inner) == tex
    check(tex)


@pytest.mark.parametrize(
    ("inner", "reason"),
    [
        ("<menclose notation='updiagonalstrike'><mi>x</mi></menclose>", "updiagonalstrike"),
        ("<apply><plus/><ci>x</ci></apply>", "apply"),
        ("<mglyph src='a.png'/>", "mglyph"),
        ("<mfrac><mn>1</mn></mfrac>", "mfrac"),
        ("<mtable><mlabeledtr><mtd/></mlabeledtr></mtable>", "table"),
        ("<mi><b>x</b></mi>", "mi"),
        ("x", "text"),
    ],
)
def test_a_formula_without_tex_is_refused_with_its_reason(inner: str, reason: str) -> None:
    with pytest.raises(NoTex) as error:
        math(inner)
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (f"<p>Half is {HALF}.</p>", r"Half is $\frac{1}{2}$."),
        (f"<p>{HALF}5 is {HALF}X</p>", r"$\frac{1}{2}$&#53; is $\frac{1}{2}$&#88;"),
        (r"<p>a \(x &lt; 5\) and \[ y \]</p>", "a $x < 5$ and $$y$$"),
        (r"a \(x < 5\) and $5 or $7", "a $x < 5$ and $5 or $7"),
        (r"<p>$a$ is text, \(a\) is not</p>", r"\$a\$ is text, $a$ is not"),
        (r"<p>It costs $\(x\)</p>", r"It costs \$$x$"),
        (r"<b>$</b>x<i>$</i>", r"**\$**x*\$*"),
        (r"<p>$$\frac{1}{2}$$, but $$ or $$$</p>", r"$$\frac{1}{2}$$, but $$ or $$$"),
        ("[mathjaxinline]x[/mathjaxinline]<p>[mathjax]y[/mathjax]</p>", "$x$\n\n$$y$$"),
        (r"<p><code>\(x\)</code></p>", r"`\(x\)`"),
        (r"<table><tr><th>a</th></tr><tr><td>\(|x|\)</td></tr></table>", "| a |\n| --- |\n| $|x|$ |"),
        (r'<p>Solve <img class="equation_image" title="\sqrt{4}" src="/equation_images/%255Csqrt%257B4%257D" '
         r'alt="LaTeX: \sqrt{4}" data-equation-content="\sqrt{4}"><span class="hidden-readable"><math><mi>x</mi></math>'
         "</span>!</p>", r"Solve $\sqrt{4}$!"),
        ('<p><img src="https://canvas.example/equation_images/%255Csqrt%257B4%257D"></p>', r"$\sqrt{4}$"),
        ('<p><img align="middle" class="Wirisformula" alt="1 half" data-mathml="«math xmlns=¨http://www.w3.org/1998/Math'
         '/MathML¨»«mfrac»«mn»1«/mn»«mn»2«/mn»«/mfrac»«/math»" src="showimage.php?formula=41"></p>', r"$\frac{1}{2}$"),
        (r'<p><a href="https://m.example/filter/tex/displaytex.php?texexp=x"><img class="texrender" title="\rho" '
         r'alt="\rho" src="https://m.example/filter/tex/pix.php/a.gif"></a></p>', r"$\rho$"),
        (r'<p><span class="MathJax_Preview"><img class="texrender" alt="\rho" src="filter/tex/pix.php/a.gif"></span>'
         r'<script type="math/tex">\rho</script></p>', r"$\rho$"),
        ('<p><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation '
         'encoding="application/x-tex">x</annotation></semantics></math></span><span class="katex-html">x</span></span>'
         "</p>", "$x$"),
        ('<p><math display="block"><mi>x</mi></math></p>', "$$x$$"),
        ("<p>Empty: <math></math></p>", "Empty:"),
    ],
)  # fmt: skip
def test_formulas_in_html_are_read_as_tex(html: str, markdown: str) -> None:
    texts = Texts()
    assert texts.html(html) == markdown
    assert texts.warnings == []


def test_a_picture_that_is_not_a_formula_stays_a_picture() -> None:
    shown = Texts().html('<p><img src="a.png" alt="x squared" title="x squared"></p>')
    assert shown == "![x squared](file:a.png)"
    with pytest.raises(CannotTake):
        Texts().html('<p><img src="//e.example/a.png" alt="x squared" title="x squared"></p>')


def test_an_unreadable_formula_refuses_the_item_only_if_it_is_needed() -> None:
    struck = "<p>See <math><menclose notation='box'><mi>x</mi></menclose></math></p>"
    with pytest.raises(CannotTake) as refusal:
        Texts().html(struck)
    assert "box" in str(refusal.value)
    texts = Texts()
    assert texts.html(struck, needed=False) == "See x"
    assert "box" in texts.warnings[0]


@pytest.mark.parametrize(
    "half",
    [
        "<menclose notation='box'><mfrac><mn>1</mn><mn>2</mn></mfrac></menclose>",
        "<apply><divide/><cn>1</cn><cn>2</cn></apply>",
    ],
)
def test_one_half_is_never_read_as_twelve_even_in_feedback(half: str) -> None:
    texts = Texts()
    assert texts.html(f"<p>It is <math>{half}</math>.</p>", needed=False) == "It is […]."
    assert len(texts.warnings) == 1


def test_tex_that_cannot_be_rendered_is_kept_with_a_warning() -> None:
    texts = Texts()
    assert texts.html(r"<p>\(\foo{x}\)</p>") == r"$\foo{x}$"
    assert "foo" in texts.warnings[0]


def test_every_format_with_html_accepts_formulas() -> None:
    assert one("moodle-xml", moodle(f"<![CDATA[<p>{HALF}</p>]]>")).stem == r"$\frac{1}{2}$"
    assert one("moodle-xml", moodle(r"\\(x\_1\\) and \\[y\\]", "markdown")).stem == "$x_1$ and $$y$$"
    assert one("moodle-xml", moodle(r"\(x\)", "moodle_auto_format")).stem == "$x$"
    assert one("gift", r"Is \\(x_1\\) half? {\=a}".replace(r"{\=a}", "{=a ~b}")).stem == "Is $x_1$ half?"
    assert "$\\frac{1}{2}$" in one("qti-2.1", QTI_21.replace("It is night.", HALF)).stem
    (skipped,) = found("qti-2.1", QTI_21.replace("It is night.", "<math><maction><mi>x</mi></maction></math>"))
    assert isinstance(skipped, Skipped)
    assert "maction" in skipped.reason


TEXTS = [
    r"Half is $\frac{1}{2}$, a norm $\|x\|_2$, $a<b$, $x_1*y_1*z$, [a link](https://e.example/) and $5.",
    "| a | b |\n| --- | --- |\n| x\\|y | $|x|$ |\n| `p|q` | $a_{1}$ |",
    "- a\n    - b\n        1. c\n        2. d\n- e",
    "1. one\n\n    two\n2. three",
    "```python\nx = 1 < 2\n  y\n```",
    "```sql\nSELECT 1\n```\n\nand\n\n```\nplain\n```",
    "$$\\begin{aligned}a&=b\\\\ &=c\\end{aligned}$$",
    r"Not drawn: $\foo{x}$",
    "- code:\n\n        :::sql\n        SELECT 1\n\n- z",
    "> Said $x$:\n>\n>     :::sql\n>     SELECT 1",
]


def back(name: str, item: Item) -> Item:
    form = BY_NAME[name]
    assert form.write is not None
    (came,) = read_items(form, io.BytesIO(form.write([item])))
    assert isinstance(came, Item), came
    return came


@pytest.mark.parametrize("name", ["yaml", "json", "gift", "moodle-xml", "csv"])
@pytest.mark.parametrize("text", TEXTS)
def test_formulas_tables_lists_and_code_survive_a_round_trip(name: str, text: str) -> None:
    item = Item(0, "q", "single", text, (ItemOption(text, True, text), ItemOption("b", False)), explanation=text)
    assert dataclasses.replace(back(name, item), line=0) == item


@pytest.mark.parametrize("name", ["qti-2.1", "qti-3.0"])
@pytest.mark.parametrize("text", [*TEXTS, r"\\(not a formula\\) and $x$"])
def test_formulas_tables_lists_and_code_look_the_same_after_qti(name: str, text: str) -> None:
    item = Item(0, "q", "single", text, (ItemOption(text, True, text), ItemOption("b", False)), explanation=text)
    came = back(name, item)
    shown = ["".join(render(each).split()) for each in (came.stem, came.options[0].text, came.explanation)]
    assert shown == ["".join(render(text).split())] * 3


def test_each_format_writes_formulas_in_its_own_way() -> None:
    item = Item(0, "q", "single", "$x_1$ and $$y$$", (ItemOption("a", True), ItemOption("b", False)))

    def written(name: str) -> str:
        write = BY_NAME[name].write
        assert write is not None
        return write([item]).decode()

    assert r"\\(x\_1\\) and \\[y\\]" in written("moodle-xml")
    assert r"\(x_1\) and \[y\]" in written("anki")
    assert '<annotation encoding="application/x-tex">x_1</annotation>' in written("qti-2.1")
    assert "$x_1$ and $$y$$" in written("csv")


def test_the_language_of_code_is_read_where_each_system_keeps_it() -> None:
    for html in (
        '<pre><code class="language-sql">SELECT</code></pre>', '<pre class="brush:sql">SELECT</pre>',
        '<div class="highlight-source-sql"><pre>SELECT</pre></div>', '<pre data-lang="sql">SELECT</pre>',
    ):  # fmt: skip
        assert Texts().html(html) == "```sql\nSELECT\n```"


PIECES = [*"$$ab1 \\{}^_|*<&;,.", "\\(", "\\)", "\\[", "\\]", "\\frac{1}{2}", HALF, "<b>", "</b>", "<p>", "</p>", "$$"]


@pytest.mark.parametrize(
    "html",
    ["<a" + HALF, HALF.removeprefix("<math>"), "x<msup><mi>a</mi><mn>2</mn></msup>", "<msqrt><mn>2</mn></msqrt>"],
)
def test_mathml_outside_of_its_element_is_refused(html: str) -> None:
    with pytest.raises(CannotTake, match="outside of <math>"):
        Texts().html(html)


def test_feedback_with_such_mathml_loses_it_with_a_warning_and_never_says_twelve() -> None:
    texts = Texts()
    assert "12" not in texts.html("<a" + HALF, needed=False)
    assert texts.warnings


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_a_text_is_imported_with_whole_formulas_or_refused(html: str) -> None:
    try:
        markdown = Texts().html(html)
    except CannotTake:
        return
    halves = [formula for formula in formulas_in(markdown) if formula.tex == r"\frac{1}{2}"]
    assert len(halves) >= html.count(HALF) - html.count("\\(") - html.count("\\[") - html.count("$$")
