"""Row ids in admin URLs, and the URL of a draft."""

from __future__ import annotations

from django.http import Http404
from django.urls import NoReverseMatch, reverse

MOST_DIGITS = 15
"""A number of so many digits fits every key column. An address can contain a larger one, which would be an error."""


def key_in(text: str) -> int:
    """The row id in a URL. Raises Http404 if there is none."""
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise Http404
    return int(text)


def draft_address(question_id: int) -> str:
    """The URL for editing the draft; "" if the admin has no such page."""
    try:
        return reverse("admin:questions_question_change", args=[question_id])
    except NoReverseMatch:
        return ""
