"""For plain-text templates, where a line break would be printed."""

from __future__ import annotations

from django import template

register = template.Library()


@register.filter(is_safe=True)
def one_line(text: str) -> str:
    """Text that a template spreads over several lines, as one line: a subject, or a paragraph of an email."""
    return " ".join(text.split())
