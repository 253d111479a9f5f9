"""A link in a breadcrumb or a list."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A name and a URL."""

    name: str
    url: str
    detail: str = ""
