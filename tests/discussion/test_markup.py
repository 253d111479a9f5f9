"""Check what a comment's Markdown becomes, what is refused before parsing, and that nothing in it ever runs."""

from __future__ import annotations

import random
import re
import time
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discussion.comments.rules.markup import CAPS, MAX_TEXT, refusal, render
from discussion.threads.forms import CommentForm
from discussion.threads.reads import OptionChip
from tests.discussion.payloads import OPTION, PAYLOADS, letters, readable
from tests.support.calls import calls
from tests.support.formulas import is_of_a_formula

OPTIONS = {1: 'Thing <b> & "one"', 2: "the second thing"}
ALLOWED = {"p", "br", "strong", "em", "code", "pre", "ul", "ol", "li", "blockquote", "a", "span"}
SECONDS = 0.1
PIECES = [
    "[", "](", "]", "](a)", "<", "<a ", "<http://a>", "*", "**", "***", "_", "__", "`", "``", "~~~\n", "```\n", "\\",
    "\\*", "&", "&amp;", "&#", "!", "![", "> ", "- ", "* ", "1. ", "    ", "\t", "\n", "\n\n", "a", " ", "{option:1}",
    "$", "$$", "$x$", "\\frac{", "}", "\\sqrt",
    "<![CDATA[", "<!--", "(", ")", '"', "'", "a*b", "_a", "a_ ", "\u200b", "é", "😀", "|", ":", "#", "=", "---\n",
]  # fmt: skip


class Found(HTMLParser):
    """The tags and attributes of a piece of HTML."""

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
        if is_of_a_formula(tag, attributes):
            continue
        assert tag in ALLOWED, html
        if tag == "a":
            assert set(attributes) in (set(), {"href", "rel"}), html
            if attributes:
                assert attributes["rel"] == "nofollow ugc noopener"
                assert re.match(r"(?i)https?://|/(?![/\\\s])", attributes["href"]), html
        elif tag == "span":
            assert attributes == {"class": "option-ref"}
        else:
            assert attributes == {}, html


OTHER_SITES = ["/\\e.example", "/\\\\e.example", "/&#92;e.example", "//e.example", "/&#47;e.example", "</\n/e.example>"]
OTHER_SITES += ["/\t/e.example", "/&#9;/e.example"]


@pytest.mark.parametrize("address", OTHER_SITES)
def test_no_link_on_the_site_leads_to_another_site(address):
    html = render(f"[docs]({address})", {})
    assert_harmless(html)
    assert not any(attributes for _, attributes in Found(html).tags)


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
        ("$5 and $7, `$x$`", "<p>$5 and $7, <code>$x$</code></p>"),
        ("$x$ {option:1}", '<p><math alttext="x"><mi>x</mi></math> {option:1}</p>'),
        (r"$\foo{<b>}$", r"<p>$\foo{&lt;b&gt;}$</p>"),
    ],
)
def test_markdown_becomes_the_expected_html(text, html):
    assert render(text, {}) == html


def test_a_reference_shows_the_options_words_escaped():
    assert render("Take {option:1}", OPTIONS) == (
        '<p>Take <span class="option-ref">Thing &lt;b&gt; &amp; &quot;one&quot;</span></p>'
    )


def test_a_reference_to_no_option_of_the_question_and_one_in_code_stay_as_typed():
    assert render("{option:7} `{option:1}`", OPTIONS) == "<p>{option:7} <code>{option:1}</code></p>"


def test_a_reference_inside_a_link_address_does_not_break_out_of_it():
    html = render("[x](https://a.example/{option:1})", OPTIONS)
    assert_harmless(html)
    assert "option-ref" not in html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_does_not_run_and_stays_readable(payload):
    assert refusal(payload) is None
    for options in ({}, {1: payload}):
        assert_harmless(render(payload + " {option:1}", options))
    visible = "".join(Found(render(payload, {1: OPTION})).text)
    assert letters(visible) == readable(payload)


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("", "required", []),
        (" \n ", "required", []),
        ("x" * (MAX_TEXT + 1), "characters", [f"{MAX_TEXT:,}", f"{MAX_TEXT + 1:,}"]),
        ("[" * 4000, "run", ["“[”", "4000"]),
        ("![" * 2000, "signs", ["“[”", "2000"]),
        ("<![CDATA[" * 400, "signs", ["“[”", "800"]),
        ("<a " * 1300, "signs", ["“<”", "1300"]),
        ("`a" * 2000, "signs", ["“`”", "2000"]),
        ("*a" * 2000, "signs", ["“*”", "2000"]),
        ("- " * 500 + "x", "depth", [str(CAPS.nesting)]),
        ("> " * 500 + "x", "depth", [str(CAPS.nesting)]),
        ("1. " * 500 + "x", "depth", [str(CAPS.nesting)]),
        ("\n".join("    " * n + "- x" for n in range(9)), "depth", [str(CAPS.nesting)]),
        ("a\n" * CAPS.lines + "b", "lines", [str(CAPS.lines)]),
    ],
)
def test_a_text_refused_before_parsing_is_refused_for_its_own_reason(text, code, told):
    found = refusal(text)
    assert found.code == code
    assert all(each in found.words for each in told)


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
def test_ordinary_texts_are_not_refused(text):
    assert refusal(text) is None


def hard_text(random_: random.Random) -> str:
    """Return a text as hard on the parser as the limits allow: a few pieces, repeated until a limit is reached."""
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


@pytest.mark.soak
def test_twenty_thousand_hard_texts_render_within_a_tenth_of_a_second_of_cpu():
    for seed in range(20_000):
        assert_renders_quickly(seed)


@given(st.text(max_size=MAX_TEXT))
@settings(max_examples=150, deadline=None)
def test_any_text_is_either_refused_or_harmless(text):
    if not refusal(text):
        assert_harmless(render(text, OPTIONS))


def test_the_hard_texts_reach_every_limit():
    reached = {sign for sign, most in CAPS.signs.items() for text in [sign * 1 + " "] if refusal(text * (most + 1))}
    assert reached == set(CAPS.signs)


LETTER_PIECES = [
    "A,", "A ,", "A and ", "A ", "(A ", "B\n", "**A**,", "b is ", "b is not ", "option a ", "answer is ", "plan A, B, ",
    "A/B ", "B'", "B’s ", "A:\\", "a://", "A" + " " * 38, "option" + " " * 300, "why not ", "“B” ", "_B_ ",
]  # fmt: skip
THREAD = SimpleNamespace(
    question=SimpleNamespace(pk=1), chips=[OptionChip(slot, f"Thing {slot}") for slot in (1, 2, 3, 4)]
)


def form_of(text: str) -> CommentForm:
    means = {f"means_{letter}": "1" for letter in "ABCD"}
    return CommentForm(THREAD, {"kind": "tip", "text": text} | means)  # type: ignore[arg-type]


def form_seconds(text: str) -> float:
    start = time.thread_time()
    form_of(text).is_valid()
    return time.thread_time() - start


@pytest.mark.soak
@pytest.mark.parametrize("piece", [*PIECES, *LETTER_PIECES])
def test_whatever_is_typed_a_form_is_checked_in_a_tenth_of_a_second_of_cpu(piece):
    text = "." + (piece * MAX_TEXT)[: MAX_TEXT - 2] + "."
    assert min(form_seconds(text) for _ in range(3)) < SECONDS


@pytest.mark.soak
def test_two_thousand_hard_texts_are_checked_within_a_tenth_of_a_second_of_cpu():
    for seed in range(2_000):
        random_ = random.Random(seed)
        text = "".join(random_.choices([*PIECES, *LETTER_PIECES], k=random_.randint(1, 2000)))[:MAX_TEXT]
        assert form_seconds(text) <= SECONDS or form_seconds(text) <= SECONDS, text


@pytest.mark.parametrize("piece", LETTER_PIECES)
def test_twice_the_text_takes_hardly_more_than_twice_the_calls_to_check(piece):
    half, whole = (calls(form_of((piece * MAX_TEXT)[:length]).is_valid) for length in (900, 1800))
    assert whole < 2.3 * half + 200


@pytest.mark.parametrize(
    "text", ["B is right" + "\n" * CAPS.lines + "x", "B is right " + "[" * 99, "B is " + "x" * 4000]
)
def test_option_letters_are_looked_for_only_in_accepted_texts(text):
    form = form_of(text)
    assert not form.is_valid()
    assert form.asked == []
    assert list(form.errors) == ["text"]


def test_a_text_that_letters_make_too_long_is_refused_with_the_length_its_author_sees():
    text = "B is right, C is wrong. " * 150
    form = form_of(text)
    assert not form.is_valid()
    (error,) = form.errors.as_data()["text"]
    assert error.code == "too-long"
    typed = len(text.strip())
    assert error.params == {"typed": typed, "over": typed + 300 * 9 - MAX_TEXT, "most": MAX_TEXT}
    assert form_of("B is right, C is wrong. " * 90).is_valid()


def test_the_form_does_not_ask_about_a_letter_that_no_option_has():
    assert form_of("E is right, and F scores are not; B is.").asked == ["B"]
