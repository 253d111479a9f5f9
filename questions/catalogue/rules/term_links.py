"""Links from a product's first mention in a text to the glossary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape

TAG = re.compile(r"(<[^>]*>)")
# A link inside a link, a heading or code would be wrong, in a table's header a nuisance. In controls, above all
# options, it would be clicked by mistake.
CLOSED = frozenset({"a", "code", "pre", "h2", "h3", "h4", "th", "form", "summary", "label", "button", "textarea"})


@dataclass
class TermLinks:
    """URLs by product name; ``used`` are those already linked anywhere on the page."""

    addresses: Mapping[str, str]
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._by_text = {escape(name): address for name, address in self.addresses.items()}

    def linked(self, html: str) -> str:
        """Sanitised HTML with each name's first mention linked. The longest name wins: BigQuery ML is one product."""
        # A pattern of only the names that occur: with all hundred, it would take five times as long as the rest.
        names = sorted((name for name in self._by_text if name in html), key=len, reverse=True)
        if not names:
            return html
        any_name = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, names))})(?![\w-])")
        found, closed = [], 0
        for part in TAG.split(html):
            name = re.match(r"</?(\w+)", part)
            if part.startswith("<") and name and name[1] in CLOSED:
                closed += -1 if part.startswith("</") else 1
            found.append(part if part.startswith("<") or closed else any_name.sub(self._link, part))
        return "".join(found)

    def _link(self, match: re.Match[str]) -> str:
        address = self._by_text[match.group()]
        if address in self.used:
            return match.group()
        self.used.add(address)
        return f'<a class="term" href="{escape(address)}">{match.group()}</a>'
