"""A source of a question or module, and how it stands in YAML."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from questions.catalogue.rules.yaml_fields import BadField, date, mapping, plain


@dataclass(frozen=True)
class Source:
    """Where a fact was checked, and the day it was true there."""

    title: str
    url: str
    as_of: dt.date


def source(value: Any, path: str) -> Source:
    """A public page that a text rests on. Raises BadField."""
    row = mapping(value, path, {"title", "url", "as_of"})
    url = plain(row["url"], f"{path}.url")
    if not url.startswith("https://"):
        raise BadField(f"{path}.url", "must start with https://")
    return Source(plain(row["title"], f"{path}.title"), url, date(row["as_of"], f"{path}.as_of"))
