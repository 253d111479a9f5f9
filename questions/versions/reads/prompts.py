"""An option and a domain as a page prints them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PromptOption:
    slot: int
    letter: str
    html: str


@dataclass(frozen=True)
class PrintedDomain:
    """The part of the exam a question belongs to, and how many questions it has to practise."""

    key: str
    number: int
    name: str
    url: str
    count: int
