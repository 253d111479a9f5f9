"""Which parts of a text without a stated format are HTML, and which only mention it, as in "What does <div> do?"."""

from __future__ import annotations

import re
from collections import Counter
from html import escape

TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:-]*)(?:\s[^<>]*)?/?>")
ENTITY = re.compile(r"&(?:[a-zA-Z]+|#\d+|#x[0-9a-fA-F]+);")
ALONE = frozenset(["area", "br", "col", "embed", "hr", "img", "input", "param", "source", "track", "wbr"])
CLOSED_BY_NEXT = frozenset(["p", "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "option"])
PAIRED = re.compile(
    r"a|abbr|address|article|aside|audio|b|bdi|bdo|big|blockquote|body|button|canvas|caption|center|cite"
    r"|code|colgroup|data|del|details|dfn|dialog|div|dl|em|fieldset|figcaption|figure|font|footer|form|h1"
    r"|h2|h3|h4|h5|h6|head|header|html|i|iframe|ins|kbd|label|legend|main|mark|math|menu|nav|noscript"
    r"|object|ol|output|picture|pre|q|rp|rt|ruby|s|samp|script|section|select|small|span|strike|strong"
    r"|style|sub|summary|sup|svg|table|template|textarea|tfoot|time|title|tt|u|ul|var|video"
)
BLANK = frozenset(("p", "div", "span", "br"))
# A sentence that continues before or after a bare tag: "What does <div>…</div> do?". Markdown would drop these tags
# without a trace.
_BLOCKS = "article|aside|body|div|footer|form|header|html|main|nav|section"
NAMED = re.compile(rf"[^\s<>][ \t]+[(\"'“«`]?<(?P<into>{_BLOCKS}|span)>|</(?P<out>{_BLOCKS})>[ \t]+\w", re.IGNORECASE)


def html_in(text: str) -> str:
    """The text as HTML, with tags that aren't markup escaped; "" if it has no markup.

    Markup uses HTML's own elements, closed as often as opened. A text of only tags, other than the blank ones editors
    leave, is meant literally.
    """
    marks = _markup(text)
    names = {tag.group(2).lower() for tag in TAG.finditer(text)} & marks
    if not names:
        return TAG.sub(lambda tag: escape(tag.group()), text) if ENTITY.search(text) else ""
    bare = TAG.sub("", text).replace("&nbsp;", " ").strip()
    if not bare and not names <= BLANK | {"img"} and not names & {"audio", "video", "object", "svg", "iframe"}:
        return ""
    return TAG.sub(lambda tag: tag.group() if tag.group(2).lower() in marks else escape(tag.group()), text)


def named_in(text: str) -> set[str]:
    """The elements that the text names instead of using them."""
    return {(found["into"] or found["out"]).lower() for found in NAMED.finditer(text)}


def _markup(text: str) -> set[str]:
    """The elements whose tags are markup in this text."""
    opened, closed = Counter[str](), Counter[str]()
    for tag in TAG.finditer(text):
        name = tag.group(2).lower()
        if tag.group(1):
            closed[name] += 1
        elif not tag.group().endswith("/>"):
            opened[name] += 1
    paired = {
        name
        for name in {*opened, *closed}
        if opened[name] == closed[name] and (name in CLOSED_BY_NEXT or PAIRED.fullmatch(name))
    }
    if text.lstrip().startswith("<"):
        paired |= CLOSED_BY_NEXT
    return (paired - named_in(text)) | ALONE
