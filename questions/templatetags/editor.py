"""How findings name a field and link to it, and how written text is shown outside its page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe

from courseiva.common.rich_text import render_inline
from questions.versions.rules.draft_diff import LABELS

register = template.Library()
PATH = re.compile(r"(\w+)(?:\[(\d+)\])?(?:\.(\w+))?")
PARTS = {
    "text": "text",
    "tempts": "why it’s tempting",
    "options.why": "why it’s right or wrong",
    "clues.why": "why it matters",
    "phrase": "phrase",
    "right_if": "right if",
    "never": "never right",
    "confirms": "points to",
    "rules_out": "rules out",
    "concept": "concept",
}
ONE = {"options": "Option", "clues": "Clue", "sources": "Source"}


@register.filter
def rendered(text: str) -> SafeString:
    """Markdown of a single option or clause, as on the question's page; pictures are shown by their descriptions."""
    return mark_safe(render_inline(text))  # noqa: S308 - sanitised


@register.filter
def anchor(anchors: Mapping[str, str], path: str) -> str:
    """The id of the field with this path, or of its closest container."""
    return anchors.get(path) or anchors.get(path.partition("[")[0]) or "question-form"


@register.filter
def field_name(path: str) -> str:
    """As in "Option in position 3, why it's tempting"."""
    found = PATH.fullmatch(path)
    if not found:
        return path
    root, place, part = found.groups()
    if place is None:
        return LABELS.get(root, root.replace("_", " ").capitalize())
    name = f"{ONE.get(root, LABELS.get(root, root))} in position {int(place) + 1}"
    return f"{name}, {PARTS.get(f'{root}.{part}', PARTS.get(part, part))}" if part else name


@register.filter
def and_list(names: Sequence[str]) -> str:
    """As in "Ann, Bo and Cy"."""
    *first, last = names or [""]
    return f"{', '.join(first)} and {last}" if first else last
