"""Markdown to safe HTML, the one door through which written text reaches a page."""

from __future__ import annotations

import re
from collections.abc import Iterable

import bleach
import markdown

TAGS = frozenset(
    [
        "p",
        "br",
        "strong",
        "em",
        "code",
        "pre",
        "div",
        "span",
        "ul",
        "ol",
        "li",
        "blockquote",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "a",
        "h2",
        "h3",
        "h4",
        "hr",
        "sub",
        "sup",
    ]
)
ATTRIBUTES = {
    "a": ["href", "title"],
    "div": ["class"],
    "span": ["class"],
    "code": ["class"],
    "th": ["scope"],
}
PROTOCOLS = frozenset({"https", "http", "mailto"})
MARK_OPEN, MARK_CLOSE = "\ue000", "\ue001"


def _parser() -> markdown.Markdown:
    parser = markdown.Markdown(
        extensions=["fenced_code", "tables", "sane_lists", "codehilite"],
        extension_configs={"codehilite": {"css_class": "code", "guess_lang": False}},
        output_format="html",
    )
    parser.preprocessors.deregister("html_block")
    parser.inlinePatterns.deregister("html")
    return parser


def clean(html: str) -> str:
    """Sanitise HTML: unknown tags are shown as text, unknown attributes dropped."""
    return bleach.clean(html, tags=TAGS, attributes=ATTRIBUTES, protocols=PROTOCOLS)


def render(text: str) -> str:
    """Markdown with raw HTML off, as sanitised HTML."""
    return clean(_parser().convert(text.replace(MARK_OPEN, "").replace(MARK_CLOSE, "")))


def render_inline(text: str) -> str:
    """Markdown of one paragraph without its ``<p>``; more than one paragraph keeps them."""
    html = render(text)
    inner = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", html, re.S)
    return inner.group(1) if inner else html


def render_marked(text: str, phrases: Iterable[str]) -> str:
    """Markdown with each phrase (white space folded) wrapped in ``<mark class="clue">``."""
    text = text.replace(MARK_OPEN, "").replace(MARK_CLOSE, "")
    for phrase in phrases:
        pattern = r"\s+".join(re.escape(word) for word in phrase.split())
        text = re.sub(pattern, lambda m: f"{MARK_OPEN}{m.group()}{MARK_CLOSE}", text, count=1)
    html = clean(_parser().convert(text))
    return html.replace(MARK_OPEN, '<mark class="clue">').replace(MARK_CLOSE, "</mark>")
