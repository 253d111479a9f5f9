"""Check that text written by people is shown on a page as safe HTML or as readable text."""

from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from types import SimpleNamespace
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from courseiva.common import rich_text
from courseiva.common.rich_text import (
    ATTRIBUTES,
    PLAIN,
    PROTOCOLS,
    TAGS,
    clean,
    parse,
    portable,
    render,
    render_inline,
    render_long,
    render_marked,
)
from courseiva.common.texts.formulas import mathml
from tests.support.formulas import OTHERS, is_of_a_formula

PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "[click](JaVaScRiPt:alert(1))",
    "[click](data:text/html,<script>alert(1)</script>)",
    '<a href="javascript:alert(1)">x</a>',
    "<svg/onload=alert(1)>",
    "<iframe src=//evil.example></iframe>",
    '"><script>alert(1)</script>',
    "<style>*{display:none}</style>",
    "![x](javascript:alert(1))",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    "`<script>`",
    "```html\n<script>alert(1)</script>\n```",
    "[x](\x01javascript:alert(1))",
    "<a href='https://ok.example' onclick='alert(1)'>x</a>",
    "<math><mi href='javascript:alert(1)'>x</mi></math>",
    r"$\href{javascript:alert(1)}{x}$ and $\text{<script>alert(1)</script>}$",
    r"$\style{x:expression(alert(1))}{y}\class{x}{y}$ $<img src=x onerror=alert(1)>$",
    '$x" onmouseover="alert(1)$ and [a](https://ok.example/$x"y$)',
]


class Inventory(HTMLParser):
    """Collect every tag and attribute that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def inventory(html):
    parser = Inventory()
    parser.feed(html)
    return parser.found


def assert_harmless(html):
    for tag, attributes in inventory(html):
        if is_of_a_formula(tag, attributes):
            continue
        assert tag in TAGS
        assert set(attributes) <= set(ATTRIBUTES.get(tag, []))
        href = attributes.get("href") or ""
        assert ":" not in href.split("/")[0] or href.split(":")[0].lower() in PROTOCOLS


@pytest.mark.parametrize("text", PAYLOADS)
def test_no_executable_markup_survives(text):
    assert_harmless(render(text))


@pytest.mark.parametrize("text", PAYLOADS)
@pytest.mark.parametrize("broken", ["bleach", "nh3"])
def test_each_sanitiser_removes_what_the_other_lets_through(text, broken, monkeypatch):
    if broken == "bleach":
        monkeypatch.setattr(rich_text._tools, "cleaner", SimpleNamespace(clean=lambda html: html))
    else:
        monkeypatch.setattr(rich_text.nh3, "clean", lambda html, **_: html)
    assert_harmless(clean(text))
    assert_harmless(parse(text))


@pytest.mark.parametrize("text", PAYLOADS)
def test_the_second_sanitiser_finds_nothing_left_to_remove(text, monkeypatch):
    both = parse(text)
    monkeypatch.setattr(rich_text.nh3, "clean", lambda html, **_: html)
    assert inventory(parse(text)) == inventory(both)


@pytest.mark.parametrize("draw", [render, render_inline, render_long, parse, clean])
@pytest.mark.parametrize(
    "text",
    [
        "<math><mi>x</mi></math>",
        '<math display="block" alttext="x">\n<mfrac><mn>1</mn><mn>2</mn></mfrac>\n</math>',
        "a <MATH><mn>1</mn></MATH> b",
        "<semantics><mi>x</mi><annotation-xml encoding='text/html'>x</annotation-xml></semantics>",
    ],
)
def test_mathml_that_somebody_typed_is_not_an_element_of_the_page(text, draw):
    assert not {tag for tag, _ in inventory(draw(text))} & (mathml.ELEMENTS - OTHERS)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_any_text_renders_to_harmless_html(text):
    assert_harmless(render(text))
    assert_harmless(clean(text))


@settings(max_examples=400, deadline=None)
@given(st.from_regex(PLAIN, fullmatch=True) | st.text("aZ9é .,:\"'()/=-*_`#+|<>&[]!~\\\n\t\u00a0", max_size=12))
@example("a ")
@example("a  b")
@example("A. Not a list")
@example("a\n===")
@example("1. a")
@example("a & b")
def test_the_plain_text_shortcut_equals_the_parsers_output(text):
    assert render(text) == parse(text)


@settings(max_examples=100, deadline=None)
@given(st.from_regex(PLAIN, fullmatch=True))
def test_exported_plain_text_equals_the_parsers_output(text):
    with mock.patch.object(rich_text, "_is_plain", return_value=False):
        parsed = portable(text, str)
    assert portable(text, str) == parsed


def test_editors_markdown_renders_as_expected():
    html = render("A **bold** `word`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nx = 1\n```")
    for part in ("<strong>bold</strong>", "<code>word</code>", "<li>one</li>", "<td>1</td>", 'class="code"'):
        assert part in html


def test_a_single_paragraph_is_inline_and_several_stay_paragraphs():
    assert render_inline("a *b*") == "a <em>b</em>"
    assert render_inline("a\n\nb").count("<p>") == 2


def test_a_clue_is_marked_once_even_if_wrapped_and_formatted():
    html = render_marked("The loss\nbecomes `NaN` twice: the loss becomes", ["loss becomes `NaN`"])
    assert html.count('<mark class="clue">') == 1
    assert "<code>NaN</code></mark>" in html


def test_the_marks_of_a_clue_cannot_be_forged():
    assert "<mark" not in render("\ue000x\ue001")
    assert render_marked("\ue000x\ue001 y", ["y"]).count("<mark") == 1


def test_rendering_in_threads_does_not_mix_texts():
    texts = [f"number **{n}** of `many`\n\n- {n}" for n in range(64)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(render, texts)) == [render(text) for text in texts]
