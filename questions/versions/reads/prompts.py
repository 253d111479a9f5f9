"""An option and a domain as printed on a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PromptOption:
    slot: int
    letter: str
    html: str


@dataclass(frozen=True)
class PrintedDomain:
    """A question's domain, and its number of questions for practice."""

    key: str
    number: int
    name: str
    url: str
    count: int
