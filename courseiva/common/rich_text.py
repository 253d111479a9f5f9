"""Markdown to safe HTML: the only way for written text to reach a page."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import Element

import bleach
import markdown
import nh3
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString

from courseiva.common.texts.formulas.dollars import (
    MARK_CLOSE,
    MARK_OPEN,
    Formula,
    around_formulas,
    put_in,
    taken_out,
)
from courseiva.common.texts.formulas.mathml import as_text, drawn

TAGS = frozenset(
    "p br strong em code pre div span ul ol li blockquote table thead tbody tr th td a h2 h3 h4 hr sub sup".split()  # noqa: SIM905
)
ATTRIBUTES = {
    "a": ["href", "title"],
    "div": ["class"],
    "span": ["class"],
    "code": ["class"],
    "th": ["scope"],
}
PROTOCOLS = frozenset({"https", "http", "mailto"})
SECOND: dict[str, Any] = {
    "tags": set(TAGS),
    "attributes": {tag: set(names) for tag, names in ATTRIBUTES.items()},
    "url_schemes": set(PROTOCOLS),
    "link_rel": None,
}
TABLE = re.compile(r"<table>(.*?)</table>", re.S)
HEAD_CELL = re.compile(r"<th>(.*?)</th>", re.S)
ANY_TAG = re.compile(r"<[^>]*>")
PLAIN_CODE = re.compile(r'<span class="(?!k|s|c|ow|nt)\w+">([^<]*)</span>')
PLAIN = re.compile(r"""[A-Za-z](?:[^\W_]|[ ,.;:'"()%/?$=\u2013\u2014\u2019-])*""")
"""A paragraph in which Markdown and sanitiser would change nothing: nine out of ten texts in a bank, and parsing is
slow."""
NAMED_CODE = re.compile(r"<pre><code>:::([\w#.+-]+)\n")
LIKE_FORMULA = re.compile(r"\\(?=\(.*?\\\)|\[.*?\\\])", re.DOTALL)
"""Text that other systems would take for a formula."""
EXTENSIONS = ["fenced_code", "tables", "sane_lists"]
PICTURE_NAME = r"[0-9a-f]{32}-[1-9]\d{0,4}x[1-9]\d{0,4}\.(?:png|jpg)"
PICTURE = rf"!\[([^\]\[]*)\]\(picture:({PICTURE_NAME})\)"
PICTURE_PLACE = re.compile(r'<span class="picture ([0-9a-f]{32}-(\d+)x(\d+)\.(?:png|jpg))">(.*?)</span>', re.S)
BEFORE_LINKS = 165  # a priority after code (190) and escapes (180), before links and images (160 and 150)


class _Picture(InlineProcessor):
    """``![what it shows](picture:NAME)`` becomes its description, marked so that ``show_pictures`` finds it."""

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element, int, int]:  # type: ignore[override]  # noqa: N802
        place = Element("span", {"class": f"picture {m.group(2)}"})
        place.text = AtomicString(" ".join(m.group(1).split()))
        return place, m.start(), m.end()


class _Tools(threading.local):
    """Parsers and a sanitiser for each thread: they keep state while they work, and are expensive to create."""

    def __init__(self) -> None:
        self.parser = _parser([*EXTENSIONS, "codehilite"])
        self.portable = _parser(EXTENSIONS)
        self.cleaner = bleach.Cleaner(tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS)


def _parser(extensions: list[str]) -> markdown.Markdown:
    parser = markdown.Markdown(
        extensions=extensions,
        extension_configs={"codehilite": {"css_class": "code", "guess_lang": False}},
        output_format="html",
    )
    parser.preprocessors.deregister("html_block")
    parser.inlinePatterns.deregister("html")
    parser.inlinePatterns.register(_Picture(PICTURE, parser), "picture", BEFORE_LINKS)
    escape_dollars(parser)
    return parser


def escape_dollars(parser: markdown.Markdown) -> None:
    """Read ``\\$`` as a dollar that neither opens nor closes a formula."""
    parser.ESCAPED_CHARS = [*parser.ESCAPED_CHARS, "$"]


_tools = _Tools()


def clean(html: str) -> str:
    """Sanitise HTML: unknown tags are shown as text, unknown attributes dropped. docs/decisions/0041 says why it is
    done twice."""
    return nh3.clean(_tools.cleaner.clean(html), **SECOND)


@lru_cache(maxsize=512)  # a family's variants share most texts, and are published one after another
def _html(text: str) -> str:
    return f"<p>{text}</p>" if _is_plain(text) else parse(text)


def _is_plain(text: str) -> bool:
    return text.count("$") < 2 and bool(PLAIN.fullmatch(text))


def parse(text: str) -> str:
    """Any text through parser and sanitiser, as ``render`` does for text that isn't plain."""
    return with_formulas(text, lambda rest: clean(_tools.parser.reset().convert(rest)))


def with_formulas(text: str, to_html: Callable[[str], str], draw: Callable[[Formula], str] = drawn) -> str:
    """Sanitised HTML of a text. Formulas bypass parser and sanitiser, so that only our own MathML gets through."""
    rest, formulas = taken_out(text)
    return put_in(to_html(rest), formulas, draw)


def portable(text: str, draw: Callable[[Formula], str]) -> str:
    """Markdown as HTML for other systems: code has a language, not colours; ``draw`` writes the formulas."""

    text = _unmarked(text)
    if _is_plain(text):
        return f"<p>{text}</p>"

    def to_html(rest: str) -> str:
        html = clean(_tools.portable.reset().convert(rest))
        return LIKE_FORMULA.sub(r"\\<span></span>", NAMED_CODE.sub(r'<pre><code class="language-\1">', html))

    return with_formulas(text, to_html, draw)


def render(text: str) -> str:
    """Markdown with raw HTML off, as sanitised HTML."""
    return _html(_unmarked(text))


def _unmarked(text: str) -> str:
    return text.replace(MARK_OPEN, "").replace(MARK_CLOSE, "")


def render_inline(text: str) -> str:
    """Markdown without the ``<p>`` if it is a single paragraph."""
    return one_paragraph(render(text))


def one_paragraph(html: str) -> str:
    """HTML without the ``<p>`` if it is a single paragraph."""
    inner = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", html, re.S)
    return inner.group(1) if inner else html


def show_pictures(html: str) -> str:
    """Sanitised HTML with pictures in place; without this call, their descriptions are shown instead.

    No picture tag passes the sanitiser, so only texts whose pictures are access-controlled can show one.
    """
    return PICTURE_PLACE.sub(_picture, html) if 'class="picture ' in html else html


def with_words_alone(text: str) -> str:
    """Markdown with each picture replaced by its description, for searches and formats without pictures."""
    return re.sub(PICTURE, r"\1", text) if "](picture:" in text else text


def _picture(place: re.Match[str]) -> str:
    name, width, height, words = place.groups()
    alt = ANY_TAG.sub("", words).replace('"', "&quot;")
    size = f'width="{width}" height="{height}"'
    return f'<img class="picture" src="/pictures/{name}" {size} alt="{alt}" loading="lazy" decoding="async">'


def render_long(text: str) -> str:
    """Markdown of a chapter: tables scroll by themselves, and code has only the classes that the stylesheet colours."""
    return TABLE.sub(_scrolling, PLAIN_CODE.sub(r"\1", render(text)))


def _scrolling(match: re.Match[str]) -> str:
    """A table in its own scrollable region, named after its column headings; empty headings don't count."""
    table = match.group(1).replace("<th></th>", "<td></td>")
    heads = [ANY_TAG.sub("", as_text(head)) for head in HEAD_CELL.findall(table)]
    name = ", ".join(heads).replace('"', "&quot;")
    region = f'<div class="table-scroll" tabindex="0" role="region" aria-label="Table: {name}">'
    return f'{region}<table class="table">{table}</table></div>'


def render_marked(text: str, phrases: Iterable[str]) -> str:
    """A stem with each phrase (white space collapsed) wrapped in ``<mark class="clue">``; shows pictures."""
    text = _unmarked(text)
    for phrase in phrases:
        found = re.search(r"\s+".join(re.escape(word) for word in phrase.split()), text)
        if found:
            start, end = around_formulas(text, *found.span())
            text = f"{text[:start]}{MARK_OPEN}{text[start:end]}{MARK_CLOSE}{text[end:]}"
    html = _html(text)
    return show_pictures(html.replace(MARK_OPEN, '<mark class="clue">').replace(MARK_CLOSE, "</mark>"))
