"""OLX, the Open edX problem format: ``<problem>`` with one ``multiplechoiceresponse`` or ``choiceresponse``.

The prompt is the ``<label>`` and ``<description>`` of the response (or the text before it, in older files), a hint of a
choice is its feedback, ``<solution>`` is the explanation.
"""

from __future__ import annotations

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
from questions.formats.rules.reading.text_lines import Line
from questions.formats.rules.reading.xml_tree import Node, read_each

SINGLE_TAGS = ("multiplechoiceresponse", "truefalseresponse")
TAGS = (*SINGLE_TAGS, "choiceresponse")
GROUPS = ("choicegroup", "checkboxgroup", "radiogroup")
HINTS = ("choicehint", "compoundhint", "stringequalhint", "correcthint")
YES = {"true", "yes"}


def read(lines: Iterable[Line]) -> Iterator[Found]:
    """Every problem of a file."""
    return read_each(lines, ["problem"], "problem", read_problem)


def read_problem(node: Node) -> Found:
    """One problem, or the reason why it is none of ours."""
    responses = [part for part in node.walk() if part.name.endswith("response")]
    kind = responses[0].name if responses else "problem"
    return item_or_reason(node.line, kind, lambda: _item(node, responses))


def _item(node: Node, responses: list[Node]) -> Item:
    if not responses:
        raise CannotTake("asks nothing, or names its content in another file")
    if len(responses) > 1:
        raise CannotTake("asks for several answers at once", "composite")
    response = responses[0]
    if response.name not in TAGS:
        raise of_other_kind(response.name)
    if any(True for _ in node.walk("script")):
        raise CannotTake("is made by a script, which is not run")
    texts = Texts()
    choices = list(response.walk("choice"))
    title = " ".join(node.get("display_name").split())
    solution = next(node.walk("solution"), None)
    return Item(
        line=node.line,
        id=node.get("url_name"),
        kind=SINGLE if response.name in SINGLE_TAGS else MULTIPLE,
        stem=texts.html(_without(node, {*GROUPS, "solution", "demandhint"}).inner_html().strip()),
        options=tuple(_option(choice, texts) for choice in choices),
        title=title,
        explanation=_solution(solution, texts) if solution else "",
        warnings=tuple(texts.warnings),
    )


def _option(choice: Node, texts: Texts) -> ItemOption:
    text = texts.html(_without(choice, set(HINTS)).inner_html().strip())
    hints = [hint for hint in choice.nodes("choicehint") if hint.get("selected", "true").lower() in YES]
    feedback = "\n\n".join(texts.html(hint.inner_html().strip(), needed=False) for hint in hints)
    return ItemOption(text, choice.get("correct").strip().lower() in YES, feedback)


def _solution(node: Node, texts: Texts) -> str:
    """The solution without the heading that every file repeats."""
    text = texts.html(node.inner_html().strip(), needed=False)
    first, _, rest = text.partition("\n")
    return rest.strip() if first.strip(" #*:").lower() == "explanation" else text


def _without(node: Node, names: set[str]) -> Node:
    """The element without some of those in it, as HTML: a label or description is a paragraph."""
    parts: list[Node | str] = [
        part if isinstance(part, str) else _without(part, names)
        for part in node.parts
        if isinstance(part, str) or part.name not in names
    ]
    name = "p" if node.name in ("label", "description") else "div" if node.name in TAGS else node.name
    return Node(name, node.attributes, node.line, parts)
