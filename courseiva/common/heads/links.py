"""A link as pages carry it, in a breadcrumb or a list."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A name and where it leads."""

    name: str
    url: str
    detail: str = ""
