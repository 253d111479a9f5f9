"""QTI 2.1, 2.2 and 3.0 (IMS / 1EdTech): one ``assessmentItem`` with one ``choiceInteraction``.

QTI 3.0 has the same model under other names (``qti-simple-choice``, ``max-choices``); ``plain_name`` maps them to QTI
2's, so that one reader serves all. The key is the declared ``correctResponse``, else the ``mapping``, else what the
rules match (qti2_processing.py). Feedback belongs to an option when its identifier is the option's, which both modal
feedback and ``feedbackInline`` use in the specification's examples; other feedback is general.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal

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
from questions.formats.rules.reading.text_lines import Line
from questions.formats.rules.reading.xml_tree import Node, read_each
from questions.formats.rules.xml.qti2_processing import matched, points

ROOTS = ("assessmentItem", "qti-assessment-item")
NOT_SHOWN = {"feedbackInline", "feedbackBlock", "stylesheet", "templateInline", "templateBlock", "catalogInfo"}
NOT_SHOWN |= {"companionMaterialsInfo", "modalFeedback", "endAttemptInteraction"}
# A button for a hint or the solution isn't an answer; our player has its own.
BUTTON, BUTTON_LEFT = "endAttemptInteraction", "a button for a hint or the solution was left out"
PASSAGE, PASSAGE_LEFT = "assessmentStimulusRef", "the passage in {} isn’t in this file; write it into the stem"
FOR_LEARNERS = {"candidate", "testTaker"}


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every item of a file; the standard has one per file, collections have more."""
    return read_each(lines, ROOTS, "assessmentItem", read_item)


def read_item(raw: Node) -> Found:
    """One item, or why it isn't acceptable."""
    node = plain(raw)
    interactions = [part for part in node.walk() if part.name.endswith("Interaction") and part.name != BUTTON]
    kind = interactions[0].name if interactions else "assessmentItem"
    return item_or_reason(node.line, kind, lambda: _item(node, interactions))


def plain(node: Node) -> Node:
    """The element with QTI 2 names."""
    parts = [part if isinstance(part, str) else plain(part) for part in node.parts]
    is_three = node.name.startswith("qti-")
    attributes = {plain_name(k) if is_three else k: v for k, v in node.attributes.items()}
    return Node(plain_name(node.name), attributes, node.line, list(parts))


def plain_name(name: str) -> str:
    """``qti-simple-choice`` is ``simpleChoice``, ``max-choices`` is ``maxChoices``."""
    name = name.removeprefix("qti-")
    return re.sub(r"-([a-z])", lambda match: match.group(1).upper(), name)


def _item(node: Node, interactions: list[Node]) -> Item:
    if not interactions:
        raise CannotTake("has no interaction, so it asks nothing")
    if node.first("templateDeclaration", "templateProcessing"):
        raise CannotTake("is a template, whose numbers are drawn separately for each learner", "template")
    if len(interactions) > 1:
        kinds = Counter(part.name.removesuffix("Interaction") for part in interactions)
        named = ", ".join(f"{number} × {kind}" for kind, number in kinds.items())  # noqa: RUF001
        raise CannotTake(f"asks for several answers at once ({named})", "composite")
    asked = interactions[0]
    if asked.name != "choiceInteraction":
        raise of_other_kind(asked.name)
    texts = Texts()
    choices = list(asked.walk("simpleChoice"))
    idents = [choice.get("identifier") for choice in choices]
    single, right = _key(node, asked, set(idents))
    modal = [(fb.get("identifier"), fb) for fb in node.nodes("modalFeedback")]
    feedback = {ident: _feedback(choice, ident, modal, texts) for ident, choice in zip(idents, choices, strict=True)}
    general = [_html(fb, texts, needed=False) for ident, fb in modal if ident not in idents]
    general += [_html(fb, texts, needed=False) for fb in _outside(node, asked)]
    return Item(
        line=node.line,
        id=node.get("identifier"),
        kind=SINGLE if single else MULTIPLE,
        stem=_stem(node, asked, texts),
        options=tuple(
            ItemOption(_html(choice, texts), ident in right, feedback[ident])
            for choice, ident in zip(choices, idents, strict=True)
        ),
        title=" ".join(node.get("title").split()),
        explanation="\n\n".join(text for text in general if text),
        warnings=(*_left_out(node), *texts.warnings),
    )


def _left_out(node: Node) -> Iterator[str]:
    if any(node.walk(BUTTON)):
        yield BUTTON_LEFT
    for passage in node.walk(PASSAGE):
        yield PASSAGE_LEFT.format(passage.get("href") or "another file")


def _key(node: Node, asked: Node, idents: set[str]) -> tuple[bool, set[str]]:
    """Whether it is choose-one, and the key. Raises CannotTake."""
    name = asked.get("responseIdentifier", "RESPONSE")
    declared = [d for d in node.nodes("responseDeclaration") if d.get("identifier") == name]
    if not declared:
        raise CannotTake("does not declare its response")
    single = declared[0].get("cardinality", "single") == "single" or asked.get("maxChoices") == "1"
    correct = declared[0].first("correctResponse")
    values = {value.text().strip() for value in correct.nodes("value")} if correct else set()
    right = values or _mapped(declared[0], single=single) or matched(node, name)
    if not right:
        raise CannotTake("declares no correct response, and no rule names one")
    if not right <= idents:
        raise CannotTake("declares a correct response that isn’t one of its choices")
    return single, right


def _mapped(declaration: Node, *, single: bool) -> set[str]:
    mapping = declaration.first("mapping")
    worth = {entry.get("mapKey"): points(entry.get("mappedValue")) for entry in mapping.nodes()} if mapping else {}
    top = max(worth.values(), default=Decimal(0))
    return {key for key, value in worth.items() if value > 0 and (value == top or not single)}


def _feedback(choice: Node, ident: str, modal: list[tuple[str, Node]], texts: Texts) -> str:
    own = [fb for fb in choice.walk("feedbackInline", "feedbackBlock") if fb.get("showHide", "show") == "show"]
    own += [fb for name, fb in modal if name == ident and fb.get("showHide", "show") == "show"]
    return "\n\n".join(filter(None, (_html(fb, texts, needed=False) for fb in own)))


def _outside(node: Node, asked: Node) -> Iterator[Node]:
    """Feedback in the body, outside the interaction."""
    body = node.first("itemBody")
    inside = {id(part) for part in asked.walk()}
    for part in body.walk("feedbackBlock", "feedbackInline") if body else ():
        if id(part) not in inside:
            yield part


def _stem(node: Node, asked: Node, texts: Texts) -> str:
    """The body without the interaction, then its prompt."""
    body = node.first("itemBody")
    before = _html(body, texts, without=asked) if body else ""
    prompt = asked.first("prompt")
    return "\n\n".join(filter(None, (before, _html(prompt, texts) if prompt else "")))


def _html(node: Node, texts: Texts, *, needed: bool = True, without: Node | None = None) -> str:
    return texts.html(_shown(node, without).inner_html().strip(), needed=needed)


def _shown(node: Node, without: Node | None) -> Node:
    """The element as a learner sees it before answering: no feedback, no notes for scorers, no interaction."""
    parts: list[Node | str] = []
    for part in node.parts:
        if isinstance(part, str):
            parts.append(part)
        elif part is without or part.name in NOT_SHOWN or _for_staff(part):
            continue
        else:
            parts.append(_shown(part, without))
    name = {"rubricBlock": "div", "contentBody": "div"}.get(node.name, node.name)
    if name == "object" and not node.get("type").startswith(("image/", "audio/", "video/")) and node.get("type"):
        name = "div"
    return Node(name, node.attributes, node.line, parts)


def _for_staff(node: Node) -> bool:
    return node.name == "rubricBlock" and not FOR_LEARNERS & set(node.get("view", "candidate").split())
