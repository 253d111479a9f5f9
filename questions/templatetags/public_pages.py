from __future__ import annotations

import datetime as dt
import json
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
IN_SCRIPT = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026"}


@register.simple_tag
def json_ld(graph: dict[str, Any]) -> SafeString:
    """A data block that no text inside can close."""
    text = json.dumps(graph, ensure_ascii=False, separators=(",", ":")).translate(IN_SCRIPT)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # noqa: S308


@register.filter
def day(written: str) -> dt.date:
    """The date for a string like ``2026-11-21``, as stored in a version's text."""
    return dt.date.fromisoformat(written)
