"""What a page or a form says, by codes and states: its words belong to whoever edits them."""

from __future__ import annotations

import re
from typing import Any


def values(page: Any, attribute: str) -> list[str]:
    """What this attribute holds wherever it stands on a page, in order. ``page`` is a response or its HTML."""
    html = page if isinstance(page, str) else page.content.decode()
    return re.findall(rf'\s{attribute}="([^"]*)"', html)


def states(page: Any) -> list[str]:
    """The states the page is drawn in."""
    return values(page, "data-state")


def messages(page: Any) -> list[str]:
    """What the site says after a step."""
    return values(page, "data-message")


def codes(form: Any) -> list[tuple[str, str]]:
    """What is wrong with a form: field ("__all__" for the whole) and code of each error."""
    return [(field, error.code) for field, errors in form.errors.as_data().items() for error in errors]
