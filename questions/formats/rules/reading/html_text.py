"""Other formats' texts to our Markdown: HTML by markdownify, plain text so that it reads as it was written.

What Markdown cannot express is kept as text and noted; what cannot be understood without a picture is not taken,
because pictures are not stored.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from bs4 import BeautifulSoup, Tag
from bs4.exceptions import ParserRejectedMarkup
from markdownify import MarkdownConverter

from courseiva.common.rich_text import render
from questions.formats.rules.items import CannotTake
from questions.formats.rules.limits import TEXT_CHARACTERS

MARKUP = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:-]*(?:\s[^<>]*)?/?>|<!--|&(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);")
PARAGRAPH = re.compile(r"\s*<p(?:\s[^<>]*)?>([^<>]*)</p>")
PARAGRAPHS = re.compile(rf"(?:{PARAGRAPH.pattern})+\s*")
MARKDOWN_IMAGE = re.compile(r"!\[[^\]]*\]\s*[(\[]")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)
# What may mean something in Markdown: signs beside words, references, entities, and what begins or ends a line.
SPECIAL = re.compile(
    r"[\\`|]|\*(?! )|(?<! )\*|(?<!\w)_|_(?!\w)|__|\][(\[:]|<[A-Za-z/!?]|&#?\w+;|~~~"
    r"|^[ \t]*(?:[-+*=#>:]|\d+[.)])|^(?: {4}|\t)| {2}$",
    re.MULTILINE,
)
ESCAPED = re.compile(r"([\\`*_\[\]#|])")
LINE_START = re.compile(r"^[ \t]*(?:([-+>])|(\d+)([.)])|(=|~|:))", re.MULTILINE)
TAG = re.compile(r"<[^>]*>")
SAFE_ADDRESS = re.compile(r"(?:https?://|mailto:)\S+$")
SUPERSCRIPTS = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
SUBSCRIPTS = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
NEEDS_MEDIA = "needs an image or other media, which are not stored"
MEDIA = ("img", "object", "video", "audio", "iframe", "embed", "svg", "canvas", "picture")
KEPT_AS_TEXT = ("math", "del", "s", "strike", "u", "ins", "mark", "ruby", "input", "select", "textarea", "button")
LEFT_OUT = ("script", "style", "template", "head", "noscript")


class Texts:
    """Converts the texts of one item and collects what had to be kept as plain text."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self._converter: _Converter | None = None

    def html(self, source: str, *, needed: bool = True) -> str:
        """HTML as Markdown. A picture in a ``needed`` text raises CannotTake, elsewhere its description is kept."""
        if len(source) > 4 * TEXT_CHARACTERS:
            raise CannotTake(f"has a text of more than {4 * TEXT_CHARACTERS:,} characters of HTML")
        if not MARKUP.search(source):
            return literal(source)
        if "<" not in source or PARAGRAPHS.fullmatch(source):
            paragraphs = PARAGRAPH.findall(source) or [source]
            return "\n\n".join(filter(None, (literal(" ".join(html.unescape(text).split())) for text in paragraphs)))
        try:
            soup = BeautifulSoup(source, "html.parser")
        except ParserRejectedMarkup:
            self._warn("HTML that could not be read was kept as text")
            return literal(source)
        self._converter = self._converter or _Converter(self._warn)
        self._converter.needed = needed
        return self._converter.convert_soup(soup).strip()

    def markdown(self, source: str, *, needed: bool = True) -> str:
        """Markdown as it is, unless it shows a picture outside of code."""
        if MARKDOWN_IMAGE.search(CODE.sub("", source)):
            if needed:
                raise CannotTake(NEEDS_MEDIA)
            self._warn("an image in the feedback was not stored")
        return source.strip()

    def plain(self, source: str) -> str:
        """Plain text as Markdown that reads the same."""
        return literal(source)

    def plain_or_html(self, source: str, *, needed: bool = True) -> str:
        """For formats that do not say: HTML where tags stand in it, else plain text."""
        return self.html(source, needed=needed) if MARKUP.search(source) else literal(source)

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)


def literal(text: str) -> str:
    """Plain text as Markdown; characters are escaped only where Markdown would read the text differently."""
    text = text.replace("\xa0", " ").strip()
    if not SPECIAL.search(text) or reads_as(text, text):
        return text
    flat = "\n".join(line.strip() for line in text.split("\n"))
    escaped = ESCAPED.sub(r"\\\1", flat.replace("&", "&amp;").replace("<", "&lt;"))
    return LINE_START.sub(_escape_start, escaped)


def _escape_start(match: re.Match[str]) -> str:
    sign, digits, dot, other = match.groups()
    if other:
        return f"&#{ord(other)};"
    return f"\\{sign}" if sign else f"{digits}\\{dot}"


def reads_as(markdown: str, text: str) -> bool:
    """Whether the rendered Markdown shows exactly this text (white space aside)."""
    shown = html.unescape(TAG.sub("", render(markdown)))
    return "".join(shown.split()) == "".join(text.split())


class _Converter(MarkdownConverter):
    """markdownify with our dialect: headings 2 to 4, no raw HTML, and a note of all that is lost."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        super().__init__(heading_style="atx", bullets="-", strip_document="strip", table_infer_header=True)
        self.needed = True
        self.warn = warn

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """Text of one node, by the rule of ``literal``; the white space around it belongs to the sentence."""
        text = text.replace("\xa0", " ")
        inner = text.strip()
        if not inner:
            return text
        start = len(text) - len(text.lstrip())
        return text[:start] + literal(inner) + text[start + len(inner) :]

    def get_conv_fn(self, tag_name: str) -> Callable[..., str] | None:
        """The rule of a tag: ours first, markdownify's else."""
        name = tag_name.lower().rpartition(":")[2]
        if name in MEDIA:
            return self._media
        if name in KEPT_AS_TEXT:
            return self._as_text
        if name in LEFT_OUT:
            return self._left_out
        found: Callable[..., str] | None = super().get_conv_fn(name)  # type: ignore[misc]  # not in its stub
        return found

    def _media(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        if el.get("role") == "presentation":
            return text
        if self.needed:
            raise CannotTake(NEEDS_MEDIA)
        self.warn("an image in the feedback was not stored")
        return literal(str(el.get("alt") or "")) or text

    def _as_text(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        self.warn(f"<{el.name}> was kept as plain text")
        return text

    def _left_out(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        self.warn(f"<{el.name}> was left out")
        return ""

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: set[str]) -> str:  # noqa: N802
        """Headings 2 to 4 exist here."""
        converted: str = super().convert_hN(min(max(n, 2), 4), el, text, parent_tags)  # type: ignore[misc]
        return converted

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A link out of the text; one into the other system leads nowhere here."""
        address = str(el.get("href") or "")
        if not SAFE_ADDRESS.match(address):
            if address:
                self.warn("a link with no usable target was kept as text")
            return text
        converted: str = super().convert_a(el, text, parent_tags)  # type: ignore[misc]
        return converted

    def convert_sup(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """x² as such, where the characters exist."""
        return self._raised(text, SUPERSCRIPTS, "^")

    def convert_sub(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """CO₂ as such, where the characters exist."""
        return self._raised(text, SUBSCRIPTS, "_")

    def _raised(self, text: str, table: dict[int, int], sign: str) -> str:
        moved = text.translate(table)
        if not text or not any(a == b for a, b in zip(text, moved, strict=True)):
            return moved
        self.warn("superscript or subscript was kept in brackets")
        return f"{sign}({text})"
