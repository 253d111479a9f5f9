"""QTI 1.2 (IMS QTI ASI, 2002), as Canvas, Blackboard, Respondus and Moodle write it: ``<item>`` with one response_lid.

The key is found by scoring: choices, alone or combined, are run through the item's ``respcondition`` rules, and the
best set wins. So "add 1 for each", "set 100 for this and that and not those" and negative marks all work.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from questions.formats.rules.items import (
    MULTIPLE,
    SINGLE,
    CannotTake,
    Found,
    Item,
    ItemOption,
    item_or_reason,
    of_other_kind,
)
from questions.formats.rules.reading.html_text import Texts
from questions.formats.rules.reading.pictures import NEEDS_MEDIA
from questions.formats.rules.reading.text_lines import Line
from questions.formats.rules.reading.xml_tree import Node, read_each
from questions.formats.rules.xml.qti1_scoring import best_choice

# Words in a declared type that isn't a choice among options, whatever the item contains.
OTHER_TYPES = re.compile(
    r"order|match|essay|fill|blank|short|numer|calculat|hot|file|text_only|jumbled|bowl", re.IGNORECASE
)
CHOICE = "multiple_choice"
BLACKBOARD_TYPES = {"HTML": "text/html", "SMART_TEXT": "text/html"}
TEXTS = ("mattext", "matemtext", "mat_formattedtext")  # the last is Blackboard's
OTHER = {"render_fib": "fill-in", "response_str": "fill-in", "response_num": "numerical", "response_grp": "matching"}
# What Blackboard writes instead of the words of a true/false choice.
EITHER = {
    "true_false": ("True", "False"),
    "yes_no": ("Yes", "No"),
    "agree_disagree": ("Agree", "Disagree"),
    "right_wrong": ("Right", "Wrong"),
}
OTHER |= {"render_hotspot": "hotspot", "render_slider": "slider", "response_xy": "hotspot"}


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every item of a file, in any section."""
    return read_each(lines, ["item"], "item", read_item)


def read_item(node: Node) -> Found:
    """One item, or why it isn't acceptable."""
    facts = metadata(node)
    kind = _kind(node, facts)
    return item_or_reason(node.line, kind, lambda: _item(node, kind, facts))


def metadata(node: Node) -> dict[str, str]:
    """The fields of the item's metadata, by label."""
    return {
        field.child_text("fieldlabel").lower(): field.child_text("fieldentry")
        for field in node.walk("qtimetadatafield")
    }


def _kind(node: Node, facts: dict[str, str]) -> str:
    stated = facts.get("question_type") or facts.get("cc_profile") or facts.get("qmd_questiontype", "")
    stated = stated or "".join(child.text().strip() for child in node.walk("bbmd_questiontype", "qmd_itemtype"))
    presentation = node.first("presentation")
    parts = list(presentation.walk()) if presentation else []
    if OTHER_TYPES.search(stated):
        return stated
    for part in parts:
        if part.name in OTHER:
            return OTHER[part.name]
    asked = [part for part in parts if part.name == "response_lid"]
    if any(part.get("rcardinality").lower() == "ordered" for part in asked):
        return "ordering"
    return CHOICE if asked else stated or "text"


def _item(node: Node, kind: str, facts: dict[str, str]) -> Item:
    if kind != CHOICE:
        raise of_other_kind(kind)
    presentation = node.first("presentation") or node
    asked = list(presentation.walk("response_lid"))
    if len(asked) != 1:
        raise CannotTake("asks for several answers at once", "composite")
    texts = Texts()
    response = asked[0]
    single = response.get("rcardinality", "Single").lower() == "single"
    labels = list(response.walk("response_label"))
    idents = [label.get("ident") for label in labels]
    right, linked = best_choice(node, response.get("ident"), idents, single=single)
    feedbacks = {fb.get("ident"): _material(fb, texts, needed=False) for fb in node.nodes("itemfeedback")}
    shown = {ident: " ".join(feedbacks.get(link, "") for link in links).strip() for ident, links in linked.items()}
    used = {link for links in linked.values() for link in links}
    general = [text for ident, text in feedbacks.items() if ident not in used and text]
    return Item(
        line=node.line,
        id=node.get("ident"),
        kind=SINGLE if single else MULTIPLE,
        stem=_material(presentation, texts, until=response),
        options=tuple(
            ItemOption(_either(_material(label, texts)), ident in right, shown.get(ident, ""))
            for label, ident in zip(labels, idents, strict=True)
        ),
        title=" ".join(node.get("title").split()),
        explanation="\n\n".join(general),
        tags=_listed(facts.get("keywords") or facts.get("keyword") or facts.get("tags", "")),
        category=facts.get("category") or facts.get("topic", ""),
        warnings=tuple(texts.warnings),
    )


def _either(text: str) -> str:
    """The words Blackboard means by ``true_false.true``."""
    name, _, value = text.replace("\\", "").partition(".")
    return EITHER[name][value != "true"] if name in EITHER and value in ("true", "false") else text


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in re.split("[,;]", text) if part.strip()))


def _material(node: Node, texts: Texts, *, needed: bool = True, until: Node | None = None) -> str:
    """All of an element's ``<material>`` as one Markdown text; ``until`` is the response, whose own is left out."""
    parts = []
    for material in _materials(node, until):
        if needed and any(True for _ in material.walk("matimage", "mataudio", "matvideo", "matapplet")):
            raise CannotTake(NEEDS_MEDIA)
        parts += [_mattext(text, texts, needed=needed) for text in material.walk(*TEXTS)]
    return "\n\n".join(part for part in parts if part)


def _materials(node: Node, until: Node | None) -> Iterator[Node]:
    for child in node.nodes():
        if child.name == "material":
            yield child
        elif child is until:
            yield from (part for part in child.nodes("material"))
        else:
            yield from _materials(child, until)


def _mattext(node: Node, texts: Texts, *, needed: bool) -> str:
    """The text by its type; XHTML may also be in it as elements."""
    kind = node.get("texttype") or BLACKBOARD_TYPES.get(node.get("type"), "text/plain")
    kind = kind.lower()
    source = node.inner_html() if any(True for _ in node.nodes()) else node.text()
    if kind in ("text/html", "text/xhtml") or any(True for _ in node.nodes()):
        return texts.html(source, needed=needed)
    return texts.plain_or_html(source, needed=needed)
