"""Rows as the admin's addresses name them."""

from __future__ import annotations

from django.http import Http404

MOST_DIGITS = 15


def key_in(text: str) -> int:
    """The row's number that stands in an address. Raises Http404 where none does."""
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise Http404
    return int(text)
