"""The strings of emails and of responses to scripts, and all strings found, each once; pure.

Made-up content is between the signs ⟦ and ⟧, so that the site's own words can be told apart from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from courseiva.demo.texts.rules.pages import is_sentence
from courseiva.serving.rules.owner import SOFTWARE

OPENS, CLOSES = "⟦", "⟧"
CONTENT = re.compile(rf"{OPENS}([^{CLOSES}\d]*)[^{CLOSES}]*(?:{CLOSES}|$)|^[^{OPENS}{CLOSES}]*{CLOSES}")
ADDRESS = re.compile(r"[\w.+-]+@demo\.courseiva\.example")
LINK = re.compile(r"https?://(?:testserver|127\.0\.0\.1:\d+)\S*")
CODE = re.compile(r"\b(?:[0-9a-f]{8}-[0-9a-f-]{27}|[A-Z2-7]{32}|[0-9a-f]{10,64})\b|\S+\*{9,}")
LETTERS = re.compile(r"[^\W\d_]{2}")
SLOT = re.compile(r"\{[^{}]*\}")
# Two strings that differ only in these are the same: figures, the count after a choice, the sign after a label, and the
# action in Django's list of permissions.
SAME = [(re.compile(r"\d+(?:[.,]\d+)*"), "0"), (re.compile(r" \(0\)$|:$"), ""),
        (re.compile(r"(?<=\| Can )(?:add|change|delete|view)\b"), "")]  # fmt: skip
NAME_OF_THE_SITE = re.compile(rf"(?<=.) [·|] {SOFTWARE}$")


def mail_strings(subject: str, body: str) -> list[str]:
    """An email's subject and its paragraphs, each as one string."""
    return [subject, *(" ".join(part.split()) for part in re.split(r"\n\s*\n", body))]


def json_strings(text: str) -> list[str]:
    """The words in a response to a script."""
    return [value for value in _values(json.loads(text)) if is_sentence(value) and not value.lstrip().startswith("<")]


def _values(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list):
        for part in node.values() if isinstance(node, dict) else node:
            yield from _values(part)


def readable(text: str) -> str:
    """The string with content as {what it is}, addresses and codes as {address} and {code}; a title without the site's
    name."""
    text = CONTENT.sub(lambda match: f"{{{(match[1] or 'content').strip()}}}", " ".join(text.split()))
    text = ADDRESS.sub("{email address}", LINK.sub("{link}", text))
    return NAME_OF_THE_SITE.sub("", CODE.sub("{code}", text))


def says_something(text: str) -> bool:
    """Whether anything is left besides content, numbers and symbols."""
    return bool(LETTERS.search(SLOT.sub("", text)))


@dataclass
class Collection:
    """The strings of the site, each where it was found first."""

    pages: dict[str, list[str]] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    def add(self, page: str, strings: list[str]) -> None:
        """Add those of a page's strings that are new."""
        for text in map(readable, strings):
            key = text
            for pattern, instead in SAME:
                key = pattern.sub(instead, key)
            if says_something(text) and key not in self._seen:
                self._seen.add(key)
                self.pages.setdefault(page, []).append(text)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Each page with each of its strings as a numbered line: page | number | string."""
        number = 0
        for page, strings in self.pages.items():
            for text in strings:
                number += 1
                yield page, f"{page} | {number} | {text}"
