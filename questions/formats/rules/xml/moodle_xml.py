"""Moodle XML (docs.moodle.org/en/Moodle_XML_format): ``<quiz>`` of ``<question type="multichoice">``.

An answer's ``fraction`` is its percentage: in choose-one, the option worth 100 is right, in choose-several, those worth
anything. A category is an entry of its own and applies to what follows it.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from questions.formats.rules.items import (
    MULTIPLE,
    SINGLE,
    UNSTORABLE,
    CannotTake,
    Found,
    Item,
    ItemOption,
    Skipped,
    item_or_reason,
    of_other_kind,
)
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.markup.moodle_markdown import to_moodle
from questions.formats.rules.reading.text_lines import Line
from questions.formats.rules.reading.xml_tree import BrokenXml, Node, read_nodes

YES = {"true", "1", "yes"}
SEVERAL = "multichoiceset"  # a plugin that gives the mark only for all the right ones
KINDS = ("multichoice", "truefalse", SEVERAL)


def read(lines: Iterable[Line]) -> Iterator[Found]:
    category = ""
    for found in read_nodes(lines, ["question"]):
        if isinstance(found, BrokenXml):
            yield Skipped(found.line, "question", found.reason)
        elif found.get("type") == "category":
            category = _category(found)
        else:
            yield _question(found, category)


def _category(node: Node) -> str:
    name = node.first("category")
    path = name.text().strip() if name else ""
    return re.sub(r"^\$[a-z]+\$(?:/top\b)?/?", "", path)


def _question(node: Node, category: str) -> Found:
    kind = node.get("type") or "question"
    return item_or_reason(node.line, kind, lambda: _item(node, kind, category))


def _item(node: Node, kind: str, category: str) -> Item:
    if kind not in KINDS:
        raise of_other_kind(kind)
    texts = Texts()
    single = kind != SEVERAL and _asks_for_one(node, kind)
    title = " ".join(node.child_text("name").split())
    answers = list(node.nodes("answer"))
    fractions = [_fraction(answer) for answer in answers]
    if single and any(0 < fraction < 100 for fraction in fractions):
        texts.warnings.append("partial marks for an option were dropped; it counts as wrong")
    rights = [fraction >= 100 if single else fraction > 0 for fraction in fractions]
    options = tuple(
        ItemOption(_answer(answer, kind, texts), right, _child(answer, "feedback", texts))
        for answer, right in zip(answers, rights, strict=True)
    )
    stem = node.first("questiontext")
    tags = node.first("tags")
    return Item(
        line=node.line,
        id=node.child_text("idnumber"),
        kind=SINGLE if single else MULTIPLE,
        stem=_text(stem, texts) if stem else "",
        options=options,
        title=title,
        explanation=_child(node, "generalfeedback", texts),
        tags=tuple(tag.text().strip() for tag in tags.nodes("tag")) if tags else (),
        category=category,
        warnings=tuple(texts.warnings),
        files=tuple(_files(node)),
    )


def _asks_for_one(node: Node, kind: str) -> bool:
    return kind == "truefalse" or node.first("single") is None or node.child_text("single").lower() in YES


def _files(question: Node) -> Iterator[tuple[str, bytes]]:
    """The images in the file, by the address that texts use."""
    for file in question.walk("file"):
        if file.get("encoding") == "base64":
            name = quote(file.get("name"), safe="/")
            with contextlib.suppress(binascii.Error):
                yield f"@@PLUGINFILE@@{file.get('path', '/')}{name}", base64.b64decode(file.text())


def _answer(answer: Node, kind: str, texts: Texts) -> str:
    text = _text(answer, texts)
    return text.capitalize() if kind == "truefalse" else text


def _fraction(answer: Node) -> Decimal:
    try:
        fraction = Decimal(answer.get("fraction", "0").replace(",", ".") or "0")
    except InvalidOperation:
        raise CannotTake(f"has the fraction “{answer.get('fraction')[:20]}”, which is not a number") from None
    if not fraction.is_finite():
        raise CannotTake("has a fraction that is not a number")
    return fraction


def _child(node: Node, name: str, texts: Texts) -> str:
    child = node.first(name)
    return _text(child, texts, needed=False) if child else ""


def _text(node: Node, texts: Texts, *, needed: bool = True) -> str:
    """An element's ``<text>`` by its ``format``; a file next to it is a picture if the text shows it."""
    inner = node.first("text")
    source = (inner.inner_html() if inner.first() else inner.text()).strip() if inner else ""
    if "<![CDATA[" in source:
        raise CannotTake("has a CDATA section without an end, which may have swallowed what follows it")
    named = node.get("format", "html")
    if named == "markdown":
        return texts.moodle_markdown(source, needed=needed)
    if named == "plain_text":
        return texts.plain(source, needed=needed)
    return (
        texts.plain_or_html(source, needed=needed)
        if named == "moodle_auto_format"
        else texts.html(source, needed=needed)
    )


def write(items: Iterable[Item]) -> Iterator[str]:
    """Items as Moodle XML with texts in Moodle's Markdown format."""
    category = ""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
    for item in items:
        if item.category != category:
            category = item.category
            path = escape(f"$course$/top/{category}" if category else "$course$/top")
            yield f'<question type="category"><category><text>{path}</text></category></question>\n'
        yield _written(item)
    yield "</quiz>\n"


def _written(item: Item) -> str:
    share = Decimal(100) / max(1, len(item.correct))
    single = item.kind == SINGLE
    rows = [
        f"<name><text>{escape(item.title)}</text></name>",
        _markdown("questiontext", item, item.stem),
        _markdown("generalfeedback", item, item.explanation),
        f"<idnumber>{escape(item.id)}</idnumber>" if item.id else "",
        f"<single>{str(single).lower()}</single><shuffleanswers>true</shuffleanswers>",
        "<answernumbering>none</answernumbering><defaultgrade>1</defaultgrade>",
    ]
    for option in item.options:
        fraction = f"{share:.5f}".rstrip("0").rstrip(".") if option.right else "0"
        feedback = _markdown("feedback", item, option.feedback)
        rows.append(_markdown("answer", item, option.text, feedback, f" fraction={quoteattr(fraction)}"))
    tags = "".join(f"<tag><text>{escape(tag)}</text></tag>" for tag in item.tags)
    rows.append(f"<tags>{tags}</tags>" if tags else "")
    body = "\n  ".join(row for row in rows if row)
    return UNSTORABLE.sub("", f'<question type="multichoice">\n  {body}\n</question>\n')


def _markdown(name: str, item: Item, text: str, more: str = "", attributes: str = "") -> str:
    """An item's text, with the pictures it shows as files next to it."""
    for picture in item.pictures:
        if f"(picture:{picture.name})" in text:
            text = text.replace(f"(picture:{picture.name})", f"(@@PLUGINFILE@@/{picture.name})")
            content = base64.b64encode(picture.content).decode()
            more = f'<file name="{picture.name}" path="/" encoding="base64">{content}</file>{more}'
    return f'<{name}{attributes} format="markdown"><text>{escape(to_moodle(text))}</text>{more}</{name}>'
