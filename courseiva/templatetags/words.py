"""For templates of plain text, where a line break would be printed."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter(is_safe=True)
def one_line(text: str) -> str:
    """What a template spreads over several lines, as one line: a subject, or a paragraph of a mail."""
    return " ".join(text.split())
