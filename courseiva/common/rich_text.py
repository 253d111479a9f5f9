"""Markdown to safe HTML, the one door through which written text reaches a page."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import bleach
import markdown
import nh3

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
"""One paragraph in which Markdown and sanitiser find nothing: nine of ten texts of a bank, and the rest is costly."""
MARK_OPEN, MARK_CLOSE = "\ue000", "\ue001"


class _Tools(threading.local):
    """A parser and a cleaner for each thread: both keep state while they work, and are costly to make."""

    def __init__(self) -> None:
        self.parser = markdown.Markdown(
            extensions=["fenced_code", "tables", "sane_lists", "codehilite"],
            extension_configs={"codehilite": {"css_class": "code", "guess_lang": False}},
            output_format="html",
        )
        self.parser.preprocessors.deregister("html_block")
        self.parser.inlinePatterns.deregister("html")
        self.cleaner = bleach.Cleaner(tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS)


_tools = _Tools()


def clean(html: str) -> str:
    """Sanitise HTML: unknown tags are shown as text, unknown attributes dropped. docs/decisions/0041 says why twice."""
    return nh3.clean(_tools.cleaner.clean(html), **SECOND)


@lru_cache(maxsize=512)  # the variants of a family share most of their texts, and are published one after another
def _html(text: str) -> str:
    return f"<p>{text}</p>" if PLAIN.fullmatch(text) else parse(text)


def parse(text: str) -> str:
    """Any text through parser and sanitiser, as ``render`` does it where the text is not plain."""
    return clean(_tools.parser.reset().convert(text))


def render(text: str) -> str:
    """Markdown with raw HTML off, as sanitised HTML."""
    return _html(text.replace(MARK_OPEN, "").replace(MARK_CLOSE, ""))


def render_inline(text: str) -> str:
    """Markdown of one paragraph without its ``<p>``; more than one paragraph keeps them."""
    html = render(text)
    inner = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", html, re.S)
    return inner.group(1) if inner else html


def render_long(text: str) -> str:
    """Markdown of a chapter: tables scroll by themselves, and of code only what the stylesheet colours is marked."""
    return TABLE.sub(_scrolling, PLAIN_CODE.sub(r"\1", render(text)))


def _scrolling(match: re.Match[str]) -> str:
    """A table in a region of its own, named by the heads of its columns; a head without words is no head."""
    table = match.group(1).replace("<th></th>", "<td></td>")
    heads = [ANY_TAG.sub("", head) for head in HEAD_CELL.findall(table)]
    name = ", ".join(heads).replace('"', "&quot;")
    region = f'<div class="table-scroll" tabindex="0" role="region" aria-label="Table: {name}">'
    return f'{region}<table class="table">{table}</table></div>'


def render_marked(text: str, phrases: Iterable[str]) -> str:
    """Markdown with each phrase (white space folded) wrapped in ``<mark class="clue">``."""
    text = text.replace(MARK_OPEN, "").replace(MARK_CLOSE, "")
    for phrase in phrases:
        pattern = r"\s+".join(re.escape(word) for word in phrase.split())
        text = re.sub(pattern, lambda m: f"{MARK_OPEN}{m.group()}{MARK_CLOSE}", text, count=1)
    html = _html(text)
    return html.replace(MARK_OPEN, '<mark class="clue">').replace(MARK_CLOSE, "</mark>")
