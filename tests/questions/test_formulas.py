"""Check what counts as a TeX formula, how it is drawn and that no other MathML reaches a page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from courseiva.common.heads.structured_data import plain_text
from courseiva.common.rich_text import render, render_inline, render_long, render_marked
from courseiva.common.texts.formulas.dollars import SLOT_CLOSE, SLOT_OPEN, Formula, formulas_in
from courseiva.common.texts.formulas.mathml import DEEPEST, LONGEST, FormulaError, as_xml, check, drawn
from questions.desk.reads.previews import preview_page
from questions.versions.rules.documents import prompt_html, solution_facts, solution_html
from tests.support.bank import changed, draft, make_exam

PIECES = [*"$$$$ab1 \\{}^_`\n|*%&<>\"'", "\\frac", "\\text{", "\\left(", "$$", "](", "    "]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It costs $5 and $7 a month", []),
        ("$20,000 and $30,000", []),
        ("from $5-$7, or $HOME/$USER, ${REPO}/x:$TAG", []),
        (r"\$x$ and $x\$", []),
        ("`$x$` and ``a ` $x$``", []),
        ("```\n$x$\n```\n$y$", ["y"]),
        ("[a](https://e.example/$x$) <https://e.example/$x$> $y$", ["y"]),
        ("$x$ and $y$, the $n$th", ["x", "y", "n"]),
        ("a $x\n+ y$ b", ["x\n+ y"]),
        ("a $x\n\n+ y$ b", []),
        ("$ x$ $x $", []),
        ("$$\nx\n= y\n$$", ["x\n= y"]),
        ("$$ x $$ $$$", ["x"]),
        (r"$\$5$ and $a\$b$", [r"\$5", r"a\$b"]),
        (r"$x$1", []),
    ],
)
def test_only_paired_dollar_signs_delimit_a_formula(text: str, found: list[str]) -> None:
    assert [formula.tex for formula in formulas_in(text)] == found


def test_a_formula_is_mathml_with_its_tex_beside_it() -> None:
    html = render(r"Half is $\frac{1}{2}$.")
    assert '<math alttext="\\frac{1}{2}"><mfrac><mn>1</mn><mn>2</mn></mfrac></math>' in html
    assert plain_text(html) == r"Half is \frac{1}{2}."


def test_a_formula_on_separate_lines_is_set_as_a_block() -> None:
    html = render("Before\n\n$$\nx\n> y\n$$\n\nbehind")
    assert re.search(r'<p><span class="formula is-block"><math alttext="x\n&gt; y" display="block">', html)
    assert "<blockquote>" not in html


def test_wide_formulas_can_be_scrolled_with_keys() -> None:
    long = "+".join("abcdefghijklmn")
    assert 'tabindex="0" role="group"' in render(f"${long}$")
    assert 'tabindex="0" role="group"' in render(f"$${long}$$")
    assert "tabindex" not in render("$x$ and $$x$$")
    of_a_telephone_at_twice_the_size = "+".join("abcdefgh")
    assert 'tabindex="0" role="group"' in render(f"$${of_a_telephone_at_twice_the_size}$$")


def test_a_formula_stays_whole_in_tables_lists_and_emphasis() -> None:
    html = render_long("| a | b |\n| --- | --- |\n| $|x|$ | $x_1 * y_1 * z$ |\n\n- **$a_1$ and $b_1$**")
    assert html.count("<td>") == 2
    assert html.count("<math") == 4
    assert "<em>" not in html


def test_code_and_addresses_keep_dollar_signs_as_typed() -> None:
    html = render("`$x$`\n\n    $x$ in code\n\n[a](https://e.example/$x$)")
    assert "<math" not in html
    assert html.count("$x$") == 3


def test_a_formula_that_cannot_be_drawn_is_shown_as_typed() -> None:
    assert render(r"See $\foo{<b>}$.") == r"<p>See $\foo{&lt;b&gt;}$.</p>"


@pytest.mark.parametrize(
    ("tex", "said"),
    [
        (r"\foo x", "foo"), (r"\frac{1}{2", "}"), ("a}b", "}"), ("x^1^2", "script"), ("a & b", "&"),
        ("10%", r"\%"), (r"\def\a{\a\a}\a", "defined"), (r"\color{red}x", "color"), (r"\boxed{x}", "menclose"),
        (r"\eqref{x}", "<a>"), ("{" * (DEEPEST + 1) + "x" + "}" * (DEEPEST + 1), str(DEEPEST)),
        ("x" * (LONGEST + 1), f"{LONGEST:,}"),
    ],
)  # fmt: skip
def test_a_formula_that_cannot_be_drawn_has_a_reason(tex: str, said: str) -> None:
    with pytest.raises(FormulaError) as error:
        check(tex)
    assert said in str(error.value)


def test_a_formulas_styles_become_classes() -> None:
    html = drawn(Formula(r"\begin{cases}1 & x>0\\0 & \text{else}\end{cases}", True))
    assert "m-left" in html
    assert " style=" not in html


def test_a_formula_in_a_label_has_an_accessible_name() -> None:
    wide = "+".join("abcdefghijklmn")
    html = prompt_html("Which?", [{"slot": 1, "text": rf"Set $\frac{{1}}{{2}}$ or ${wide}$"}])["options_html"]["1"]
    assert r'Set <span role="group" aria-label="\frac{1}{2}"><math alttext="\frac{1}{2}">' in html
    assert html.count("<span") == html.count("</span>") == 2
    assert 'aria-label="Formula"' not in html
    assert 'tabindex="0"' in html


def test_the_editors_preview_draws_formulas(db: None) -> None:
    text = changed(draft(1), stem="Is $x$ and deciding words 1 so?", explanation="$$y$$")
    page = preview_page(text, make_exam(), None, "Domain", {"c1": "Concept"})
    assert '<math alttext="x">' in page.stem_html
    assert 'display="block"' in solution_html(solution_facts(text))["explanation"]


def test_a_formulas_xml_has_its_tex_as_an_annotation() -> None:
    xml = as_xml(Formula("a<b", False))
    assert xml.startswith('<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics>')
    assert '<annotation encoding="application/x-tex">a&lt;b</annotation>' in xml


def test_a_clue_that_cuts_a_formula_marks_all_of_it() -> None:
    html = render_marked("The norm $x^2 + y^2$ grows", ["norm $x^2"])
    assert html.startswith('<p>The <mark class="clue">norm <math')
    assert "</math></mark> grows" in html


def test_the_placeholders_of_formulas_cannot_be_forged() -> None:
    html = render(f"{SLOT_OPEN}0{SLOT_CLOSE} $x$ {SLOT_OPEN}7{SLOT_CLOSE}")
    assert html.count("<math") == 1
    assert SLOT_OPEN not in html


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_text_with_dollars_is_drawn_and_keeps_its_formulas(text: str) -> None:
    html = render(text)
    assert len(re.findall("<math", html)) == len(re.findall("</math>", html))
    assert "<script" not in html
    assert SLOT_OPEN not in html
    render_inline(text)
