"""A comment's Markdown as safe HTML. What would be slow to parse is refused before it is parsed."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from html import escape, unescape
from html.parser import HTMLParser
from typing import Any
from xml.etree.ElementTree import Element

import markdown
from markdown.inlinepatterns import LINK_RE, LinkInlineProcessor

from courseiva.common.rich_text import clean, escape_dollars
from courseiva.common.texts.formulas.dollars import put_in, taken_out
from courseiva.common.texts.formulas.mathml import drawn
from discussion.comments.rules.highlighting import Language, highlighted, language_of
from discussion.comments.rules.references import REFERENCE
from questions.versions.rules.text_caps import Caps, Refusal, pathology

MAX_TEXT = 4000
"""As ``MAX_TEXT`` of the model, which rules may not import."""
CAPS = Caps(
    characters=MAX_TEXT,
    lines=200,
    signs={"[": 60, "<": 100, "*": 160, "_": 240, "`": 160, "~": 60, "\\": 160, "&": 240, "!": 240, "$": 80},
)
"""Far more than people use; each is slow in large numbers, alone or combined. Comments have no tables."""
NO_INLINE = (
    "html", "image_link", "image_reference", "short_image_ref", "reference", "short_reference", "automail",
)  # fmt: skip
NO_BLOCKS = ("hashheader", "setextheader", "reference", "hr")
# To a browser, "/\host" is a different site, and so is "/", a line break and "/host".
PAGE = re.compile(r"https?://|/(?![/\\\s])", re.IGNORECASE)
REL = "nofollow ugc noopener"


class _Links(LinkInlineProcessor):
    """Links to pages; any other link stays as typed."""

    def handleMatch(  # type: ignore[override]  # noqa: N802 - the parser calls it so
        self, m: re.Match[str], data: str
    ) -> Any:
        """The element and where it starts and ends; None for no link."""
        element, start, end = super().handleMatch(m, data)
        if not isinstance(element, Element) or not PAGE.match(element.get("href", "")):
            return None, None, None
        return element, start, end


class _Parser(threading.local):
    """A parser for each thread: it keeps state while it works."""

    def __init__(self) -> None:
        self.markdown = markdown.Markdown(extensions=["fenced_code", "sane_lists"], output_format="html")
        self.markdown.preprocessors.deregister("html_block")
        for name in NO_INLINE:
            self.markdown.inlinePatterns.deregister(name)
        self.markdown.inlinePatterns.register(_Links(LINK_RE, self.markdown), "link", 160)
        for name in NO_BLOCKS:
            self.markdown.parser.blockprocessors.deregister(name)
        escape_dollars(self.markdown)


_parser = _Parser()


def refusal(text: str) -> Refusal | None:
    """Why a text can't be shown; None if it can."""
    if not text.strip():
        return Refusal("required", "Write something first.")
    return pathology(text, CAPS)


def render(text: str, options: Mapping[int, str]) -> str:
    """Sanitised HTML, if ``refusal`` is None. ``options`` are the options' texts by slot."""
    rest, formulas = taken_out(text)
    writer = _Writer(options)
    writer.feed(clean(_parser.markdown.reset().convert(rest)))
    writer.close()
    return put_in("".join(writer.parts), formulas, drawn)


class _Writer(HTMLParser):
    """Rewrites clean HTML: no attribute except a link's URL, links marked as user content, options in words.

    A code block in a known language is read as plain text and rewritten with highlighting.
    """

    def __init__(self, options: Mapping[int, str]) -> None:
        super().__init__(convert_charrefs=False)
        self.options = options
        self.parts: list[str] = []
        self.code = 0
        self.language: Language | None = None
        self.listing: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag without attributes; a link with its URL."""
        self.code += tag == "code"
        self.language = language_of(dict(attrs).get("class")) if tag == "code" else self.language
        address = dict(attrs).get("href") if tag == "a" else None
        # Checked again, now that entities and escapes are resolved: "/&#47;host" isn't one of our pages.
        link = f' href="{escape(address)}" rel="{REL}"' if address and PAGE.match(address) else ""
        self.parts.append(f"<{tag}{link}>")

    def handle_endtag(self, tag: str) -> None:
        """The end of an element."""
        self.code -= tag == "code"
        if tag == "code" and self.language:
            self.parts.append(highlighted(unescape("".join(self.listing)), self.language))
            self.language, self.listing = None, []
        self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Text; a reference to an option becomes the option's words, except in code."""
        self._write(data if self.code else REFERENCE.sub(self._words, data))

    def handle_entityref(self, name: str) -> None:
        self._write(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._write(f"&#{name};")

    def _write(self, html: str) -> None:
        (self.listing if self.language else self.parts).append(html)

    def _words(self, match: re.Match[str]) -> str:
        words = self.options.get(int(match.group(1)))
        return match.group() if words is None else f'<span class="option-ref">{escape(words)}</span>'
