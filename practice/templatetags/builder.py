"""One choice in the drill builder, with what it leaves."""

from __future__ import annotations

from typing import Any

from django import template

from practice.start.builder.reads import BuilderPage
from practice.start.forms import LISTS, DrillForm

register = template.Library()


@register.inclusion_tag("practice/_facet.html")
def facet(page: BuilderPage, form: DrillForm, name: str, value: str, words: Any) -> dict[str, Any]:
    """A checkbox if several can be chosen, else a radio button; the value "" means any and has no count."""
    held = form[name].value()
    chosen = value in (held or ()) if name in LISTS else value == (held or "")
    count = page.counts[name][value] if value else None
    kind = "checkbox" if name in LISTS else "radio"
    return {"kind": kind, "name": name, "value": value, "is_chosen": chosen, "words": words, "count": count}
