"""Other formats' texts to our Markdown: HTML through markdownify, plain text so that it reads as written.

What Markdown can't express is kept as text and noted. An image in a file next to the text becomes a reference to it
(``reading/pictures.py``); what can't be understood without media from elsewhere is refused.
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
from questions.formats.rules.reading.markup.moodle_markdown import from_moodle
from questions.formats.rules.reading.markup.tags import html_in, named_in
from questions.formats.rules.reading.pictures import NEEDS_MEDIA, is_a_file, reference, with_references
from questions.formats.rules.reading.tex.given_formulas import FORGED, Given

MARKUP = re.compile(r"</?[a-zA-Z][a-zA-Z0-9:-]*(?:\s[^<>]*)?/?>|<!--|&(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);")
PARAGRAPH = re.compile(r"\s*<p(?:\s[^<>]*)?>([^<>]*)</p>")
PARAGRAPHS = re.compile(rf"(?:{PARAGRAPH.pattern})+\s*")
MARKDOWN_IMAGE = re.compile(r"!\[[^\]]*\]\s*[(\[]")
SHOWN = re.compile(r"!\[[^\]\[]*\]\((?:file|picture):[^\s()<>]+\)")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)
# What may have a meaning in Markdown: punctuation next to words, references, entities, and the start or end of a line.
SPECIAL = re.compile(
    r"[\\`|$]|\*(?! )|(?<! )\*|(?<!\w)_|_(?!\w)|__|\][(\[:]|<[A-Za-z/!?]|&#?\w+;|~~~"
    r"|^[ \t]*(?:[-+*=#>:]|\d+[.)])|^(?: {4}|\t)| {2}$",
    re.MULTILINE,
)
ESCAPED = re.compile(r"([\\`*_\[\]#|$])")
LONE_BACKSLASH = re.compile(r"(?<!\\)(?:\\\\)*\\$")
OPEN_DOLLAR = re.compile(r"(?<!\\)((?:\\\\)*)\$")
TICKS = re.compile(r"`+")
BAR = re.compile(r"((`+)(?!`).+?(?<!`)\2(?!`)|\\.)|\|", re.DOTALL)
LANGUAGE = re.compile(r"(?:\blanguage-|\blang-|\bbrush:\s*|\bhighlight-source-|\bsourceCode )([A-Za-z][\w#.+-]*)\b")
NO_LANGUAGE = {"none", "text", "plaintext", "plain", "code", "highlight", "en"}
LINE_START = re.compile(r"^[ \t]*(?:([-+>])|(\d+)([.)])|(=|~|:))", re.MULTILINE)
TAG = re.compile(r"<[^>]*>")
SAFE_ADDRESS = re.compile(r"(?:https?://|mailto:)\S+$")
SUPERSCRIPTS = str.maketrans("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ")
SUBSCRIPTS = str.maketrans("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎")
MEDIA = ("img", "object", "video", "audio", "iframe", "embed", "svg", "canvas", "picture")
KEPT_AS_TEXT = ("del", "s", "strike", "u", "ins", "mark", "ruby", "input", "select", "textarea", "button")
LEFT_OUT = ("script", "style", "template", "head", "noscript")


class Texts:
    """Converts the texts of one item and collects what had to be kept as plain text."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self._converter: _Converter | None = None

    def html(self, source: str, *, needed: bool = True) -> str:
        """HTML as Markdown.

        An unavailable picture in a ``needed`` text raises CannotTake; elsewhere its description is kept.
        """
        if len(source) > 4 * TEXT_CHARACTERS:
            raise CannotTake(f"has a text of more than {4 * TEXT_CHARACTERS:,} characters of HTML")
        source, given = FORGED.sub("", source), self._given(needed)
        if not MARKUP.search(source):
            return _literal([source], given)
        if "<" not in source or PARAGRAPHS.fullmatch(source):
            paragraphs = PARAGRAPH.findall(source) or [source]
            return _literal([" ".join(html.unescape(text).split()) for text in paragraphs], given)
        try:
            soup = BeautifulSoup(source, "html.parser")
        except ParserRejectedMarkup:
            self._warn("HTML that could not be read was kept as text")
            return literal(source)
        given.out_of_html(soup)
        self._converter = self._converter or _Converter(self._warn)
        return given.put_in(self._converter.markdown_of(soup, given, needed=needed))

    def markdown(self, source: str, *, needed: bool = True) -> str:
        """Markdown as it is, unless it shows a picture outside code."""
        source = with_references(source)
        if MARKDOWN_IMAGE.search(CODE.sub("", SHOWN.sub("", source))):
            if needed:
                raise CannotTake(NEEDS_MEDIA)
            self._warn("an image in the feedback was not stored")
        return source.strip()

    def moodle_markdown(self, source: str, *, needed: bool = True) -> str:
        """Moodle's Markdown, with its formulas between dollar signs."""
        return self.markdown(from_moodle(source, self._given(needed)), needed=needed)

    def plain(self, source: str, *, needed: bool = True) -> str:
        """Plain text as Markdown that reads the same; anything between ``\\(`` and ``\\)`` is a formula."""
        return _literal([FORGED.sub("", source)], self._given(needed))

    def plain_or_html(self, source: str, *, needed: bool = True) -> str:
        """For formats that don't say: HTML if it has markup, else plain text."""
        for name in sorted(named_in(source)):
            self._warn(f"<{name}> was kept as text")
        found = html_in(source)
        return self.html(found, needed=needed) if found else self.plain(source, needed=needed)

    def _given(self, needed: bool) -> Given:
        def refuse(reason: str) -> None:
            if needed:
                raise CannotTake(reason)
            self._warn(f"{reason}; see what is left of it")

        return Given(refuse, self._warn)

    def _warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)


def _literal(texts: list[str], given: Given) -> str:
    """Plain text as Markdown, with its formulas."""
    markdown = "\n\n".join(filter(None, [literal(given.out_of_text(text)) for text in texts]))
    return given.put_in(markdown if given.stands_alone(markdown) else _escaped_dollars(markdown))


def _escaped_dollars(text: str) -> str:
    return OPEN_DOLLAR.sub(r"\1\\$", text)


def literal(text: str) -> str:
    """Plain text as Markdown; characters are only escaped where Markdown would read the text differently."""
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
    """Whether the rendered Markdown shows exactly this text (ignoring white space)."""
    shown = html.unescape(TAG.sub("", render(markdown)))
    return "".join(shown.split()) == "".join(text.split())


def language_of(code: Tag) -> str:
    """The language of a code block, from its class, its ``code``'s, or its surroundings'."""
    around = [code.code, code, code.parent]
    for tag in filter(None, around):
        named = LANGUAGE.search(" ".join([*(tag.get("class") or []), f"lang-{tag.get('data-lang') or ''}"]))
        if named and named.group(1).lower() not in NO_LANGUAGE:
            return named.group(1).lower()
    return ""


class _Converter(MarkdownConverter):
    """markdownify with our dialect: headings 2 to 4, no raw HTML, and notes of everything lost."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        super().__init__(heading_style="atx", bullets="-", strip_document="strip", table_infer_header=True)
        self.needed = True
        self.warn = warn
        self.escapes_dollars = False

    def markdown_of(self, soup: BeautifulSoup, given: Given, *, needed: bool) -> str:
        """The tree as Markdown with placeholders for formulas; dollar signs that would make one are escaped."""
        self.needed, self.escapes_dollars = needed, False
        converted: str = self.convert_soup(soup).strip()
        if given.stands_alone(converted):
            return converted
        self.escapes_dollars = True
        again: str = self.convert_soup(soup).strip()
        return again

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """The text of one node, as in ``literal``; white space around it belongs to the sentence."""
        text = text.replace("\xa0", " ")
        inner = text.strip()
        if not inner:
            return text
        start = len(text) - len(text.lstrip())
        written = literal(inner)
        if self.escapes_dollars:
            written = _escaped_dollars(written)
        if LONE_BACKSLASH.search(written):  # the next character may be one that it would escape
            written += "\\"
        return text[:start] + written + text[start + len(inner) :]

    def get_conv_fn(self, tag_name: str) -> Callable[..., str] | None:
        """The rule for a tag: ours, else markdownify's."""
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
        address = str(el.get("src") or el.get("data") or "")
        is_image = el.name == "img" or str(el.get("type") or "").startswith("image/")
        if is_image and is_a_file(address):
            return reference(address, str(el.get("alt") or text))
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
        """Map headings to 2 to 4."""
        converted: str = super().convert_hN(min(max(n, 2), 4), el, text, parent_tags)  # type: ignore[misc]
        return converted

    def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """An external link; links within the other system are dropped."""
        address = str(el.get("href") or "")
        if not SAFE_ADDRESS.match(address):
            if address:
                self.warn("a link with no usable target was kept as text")
            return text
        converted: str = super().convert_a(el, text, parent_tags)  # type: ignore[misc]
        return converted

    def convert_li(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """Indent an item's content by four spaces: with fewer, our parser ends the list or flattens it."""
        text = (text or "").strip()
        if not text:
            return "\n"
        marker = "-"
        if el.parent is not None and el.parent.name == "ol":
            given = str(el.parent.get("start") or "")
            marker = f"{(int(given) if given.isdecimal() else 1) + len(el.find_previous_siblings('li'))}."
        first, *rest = text.split("\n")
        end = "\n\n" if "" in rest else "\n"  # after paragraphs or code, the next item needs an empty line before it
        return "\n".join([f"{marker} {first}", *(f"    {line}" if line else "" for line in rest)]) + end

    def convert_pre(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """Fenced code with its language; in a list or a quotation, where our parser sees no fence, indented code."""
        code = text.strip("\n")
        if not code.strip():
            return ""
        language = language_of(el)
        if {"td", "th"} & parent_tags:
            return self.convert_code(el, " ".join(code.split()), parent_tags)  # type: ignore[attr-defined]
        if {"li", "blockquote"} & parent_tags:
            named = f"    :::{language}\n" if language else ""
            return "\n\n" + named + "\n".join(f"    {line}" if line else "" for line in code.split("\n")) + "\n\n"
        fence = "`" * max(3, 1 + max(map(len, TICKS.findall(code)), default=0))
        return f"\n\n{fence}{language}\n{code}\n{fence}\n\n"

    def convert_td(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """A cell, with its own bars escaped."""
        escaped = BAR.sub(lambda found: found.group(1) or r"\|", text)
        converted: str = super().convert_td(el, escaped, parent_tags)  # type: ignore[misc]
        return converted

    convert_th = convert_td

    def convert_sup(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """x² as Unicode, if the characters exist."""
        return self._raised(text, SUPERSCRIPTS, "^")

    def convert_sub(self, el: Tag, text: str, parent_tags: set[str]) -> str:
        """CO₂ as Unicode, if the characters exist."""
        return self._raised(text, SUBSCRIPTS, "_")

    def _raised(self, text: str, table: dict[int, int], sign: str) -> str:
        moved = text.translate(table)
        if not text or not any(a == b for a, b in zip(text, moved, strict=True)):
            return moved
        self.warn("superscript or subscript was kept in brackets")
        return f"{sign}({text})"
