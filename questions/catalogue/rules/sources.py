"""A source of a question or module, and its YAML form."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from questions.catalogue.rules.yaml_fields import BadField, date, mapping, plain

OWN_WORK = "own"
"""The title of a source without a URL: the author answers for the question."""


@dataclass(frozen=True)
class Source:
    """Where a fact was checked, when somebody opened it, and what it said that settles the answer."""

    title: str
    url: str
    as_of: dt.date | None
    says: str = ""

    @property
    def is_own(self) -> bool:
        """Whether it names no page: the question rests on its author's own knowledge."""
        return not self.url

    def facts(self) -> dict[str, str]:
        """The source as JSON; without a date if nobody opened it."""
        facts = {"title": self.title, "url": self.url, "as_of": self.as_of.isoformat() if self.as_of else ""}
        return facts | ({"says": self.says} if self.says else {})


def source_from(facts: Mapping[str, str]) -> Source:
    """The inverse of ``facts``."""
    day = facts["as_of"]
    return Source(facts["title"], facts["url"], dt.date.fromisoformat(day) if day else None, facts.get("says", ""))


def source(value: Any, path: str) -> Source:
    """A public page that a text rests on. Raises BadField."""
    row = mapping(value, path, {"title", "url", "as_of", "says"}, {"as_of", "says"})
    url = plain(row["url"], f"{path}.url")
    if not url.startswith("https://"):
        raise BadField(f"{path}.url", "must start with https://")
    return Source(
        plain(row["title"], f"{path}.title"),
        url,
        date(row["as_of"], f"{path}.as_of") if "as_of" in row else None,
        plain(row.get("says", ""), f"{path}.says"),
    )
