"""A comment's Markdown: what it becomes, what is refused before it is parsed, and that nothing in it ever runs."""

from __future__ import annotations

import random
import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discussion.markup import MAX_LINES, MAX_NESTING, MAX_TEXT, MOST, refusal, render
from tests.discussion.payloads import PAYLOADS

OPTIONS = {1: 'Thing <b> & "one"', 2: "the second thing"}
ALLOWED = {"p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "a", "span"}
SECONDS = 0.1
PIECES = [
    "[", "](", "]", "](a)", "<", "<a ", "<http://a>", "*", "**", "***", "_", "__", "`", "``", "~~~\n", "```\n", "\\",
    "\\*", "&", "&amp;", "&#", "!", "![", "> ", "- ", "* ", "1. ", "    ", "\t", "\n", "\n\n", "a", " ", "{option:1}",
    "<![CDATA[", "<!--", "(", ")", '"', "'", "a*b", "_a", "a_ ", "\u200b", "é", "😀", "|", ":", "#", "=", "---\n",
]  # fmt: skip


class Found(HTMLParser):
    """Every tag and attribute of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text.append(data)


def assert_harmless(html: str) -> None:
    for tag, attributes in Found(html).tags:
        assert tag in ALLOWED, html
        if tag == "a":
            assert set(attributes) in (set(), {"href", "rel"}), html
            if attributes:
                assert attributes["rel"] == "nofollow ugc noopener"
                assert not attributes["href"].lower().lstrip().startswith(("javascript", "data", "vbscript")), html
        elif tag == "span":
            assert attributes == {"class": "option-ref"}
        else:
            assert attributes == {}, html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**Two** words, `code`", "<p><strong>Two</strong> words, <code>code</code></p>"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("> said", "<blockquote>\n<p>said</p>\n</blockquote>"),
        ("# no heading", "<p># no heading</p>"),
        ("```python\na < b\n```", "<pre><code>a &lt; b\n</code></pre>"),
        (
            "[the page](https://a.example/x?a=1&b=2)",
            '<p><a href="https://a.example/x?a=1&amp;b=2" rel="nofollow ugc noopener">the page</a></p>',
        ),
        (
            "![x](https://a.example/x.png)",
            "<p>![x](https://a.example/x.png)</p>",
        ),
        ("[x](javascript:y) [z](mailto:a@b.example)", "<p>[x](javascript:y) [z](mailto:a@b.example)</p>"),
        ("<b>bold</b>", "<p>&lt;b&gt;bold&lt;/b&gt;</p>"),
        ("a & b &amp; c", "<p>a &amp; b &amp; c</p>"),
    ],
)
def test_what_markdown_becomes(text, html):
    assert render(text, {}) == html


def test_a_reference_is_the_words_of_the_option_escaped():
    assert render("Take {option:1}", OPTIONS) == (
        '<p>Take <span class="option-ref">Thing &lt;b&gt; &amp; &quot;one&quot;</span></p>'
    )


def test_a_reference_to_no_option_of_the_question_and_one_in_code_stay_as_typed():
    assert render("{option:7} `{option:1}`", OPTIONS) == "<p>{option:7} <code>{option:1}</code></p>"


def test_a_reference_inside_an_address_does_not_break_out_of_it():
    html = render("[x](https://a.example/{option:1})", OPTIONS)
    assert_harmless(html)
    assert "option-ref" not in html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_runs_nothing_and_stays_readable(payload):
    assert refusal(payload) == ""
    for options in ({}, {1: payload}):
        assert_harmless(render(payload + " {option:1}", options))
    visible = "".join(Found(render(payload, {})).text)
    assert re.search("own|press|code|request", visible), visible


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Write something"),
        (" \n ", "Write something"),
        ("x" * (MAX_TEXT + 1), f"at most {MAX_TEXT} characters; this one has {MAX_TEXT + 1}"),
        ("[" * 4000, "“[” stands 4000 times in a row"),
        ("![" * 2000, "“[” stands in it 2000 times"),
        ("<![CDATA[" * 400, "“[” stands in it 800 times"),
        ("<a " * 1300, "“<” stands in it 1300 times"),
        ("`a" * 2000, "“`” stands in it 2000 times"),
        ("*a" * 2000, "“*” stands in it 2000 times"),
        ("- " * 500 + "x", f"at most {MAX_NESTING} levels"),
        ("> " * 500 + "x", f"at most {MAX_NESTING} levels"),
        ("1. " * 500 + "x", f"at most {MAX_NESTING} levels"),
        ("\n".join("    " * n + "- x" for n in range(9)), f"at most {MAX_NESTING} levels"),
        ("a\n" * MAX_LINES + "b", f"at most {MAX_LINES} lines"),
    ],
)
def test_what_is_refused_before_it_is_parsed(text, why):
    assert why in refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "x" * MAX_TEXT,
        "- a\n    - b\n        - c\n\n> quoted\n> > twice",
        "model.fit(x_train, y_train)\n" * 20,
        "**bold** and *thin* and `code` " * 20,
        "[a](https://a.example) " * 20,
    ],
)
def test_what_people_write_is_not_refused(text):
    assert refusal(text) == ""


def hard_text(random_: random.Random) -> str:
    """A text that is as hard on the parser as the limits allow: few kinds of pieces, repeated until one is reached."""
    pieces = random_.choices(PIECES, k=random_.randint(1, 5))
    unit = "".join(pieces) + "x" * random_.choice([0, 0, 1, 7, 30])
    text = ""
    shuffled = random_.random() < 0.5
    while len(text) < MAX_TEXT:
        more = random_.choice(pieces) + random_.choice(["", "x", "xy "]) if shuffled else unit
        if not more or len(text) + len(more) > MAX_TEXT or (text and refusal(text + more)):
            break
        text += more
    return text + "y" * random_.choice([0, MAX_TEXT - len(text)])


def assert_renders_quickly(seed: int) -> None:
    text = hard_text(random.Random(seed))
    if refusal(text):
        return
    took = _seconds(text)
    assert took <= SECONDS or _seconds(text) <= SECONDS, text


def _seconds(text: str) -> float:
    start = time.thread_time()
    assert_harmless(render(text, OPTIONS))
    return time.thread_time() - start


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_hard_texts_render_within_a_tenth_of_a_second_of_cpu(start):
    for seed in range(start, start + 50):
        assert_renders_quickly(seed)


@pytest.mark.soak
def test_twenty_thousand_hard_texts_render_within_a_tenth_of_a_second_of_cpu():
    for seed in range(20_000):
        assert_renders_quickly(seed)


@given(st.text(max_size=MAX_TEXT))
@settings(max_examples=150, deadline=None)
def test_any_text_is_refused_or_harmless(text):
    if not refusal(text):
        assert_harmless(render(text, OPTIONS))


def test_every_limit_is_reached_by_texts_of_the_soak():
    reached = {sign for sign, most in MOST.items() for text in [sign * 1 + " "] if refusal(text * (most + 1))}
    assert reached == set(MOST)
