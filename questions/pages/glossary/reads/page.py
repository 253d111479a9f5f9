"""The glossary's terms by letter, after those that are ending."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import urlencode

from django.db.models.functions import Lower
from django.urls import reverse

from courseiva.common.heads.links import Link
from questions.catalogue.models import GlossaryTerm
from questions.catalogue.rules.glossary import CURRENT, RETIRED


@dataclass(frozen=True)
class TermLine:
    """A product with its description, and where the bank mentions it."""

    term: GlossaryTerm
    successor: Link | None
    search: str

    @property
    def ends(self) -> bool:
        """Whether it has ended, is ending or has a successor."""
        return self.term.status != CURRENT or bool(self.term.successor)

    @property
    def is_over(self) -> bool:
        return self.term.status == RETIRED


@dataclass(frozen=True)
class GlossaryPage:
    """All terms by first letter; ``ending`` repeats those that don't simply continue."""

    letters: list[tuple[str, list[TermLine]]]
    ending: list[TermLine]
    checked_on: dt.date | None

    @property
    def lines(self) -> list[TermLine]:
        return [line for _, lines in self.letters for line in lines]


def glossary_page() -> GlossaryPage:
    """The page, in one query."""
    terms = list(GlossaryTerm.objects.order_by(Lower("name")))
    addresses = {term.name: term.get_absolute_url() for term in terms}
    lines = [_line(term, addresses) for term in terms]
    letters = groupby(lines, key=lambda line: line.term.name[0].upper())
    return GlossaryPage(
        letters=[(letter, list(of_letter)) for letter, of_letter in letters],
        ending=[line for line in lines if line.ends],
        checked_on=max((term.checked_on for term in terms if term.checked_on), default=None),
    )


def _line(term: GlossaryTerm, addresses: dict[str, str]) -> TermLine:
    after = Link(term.successor, addresses.get(term.successor, "")) if term.successor else None
    quoted = f'"{term.name}"'
    return TermLine(term, after, f"{reverse('search')}?{urlencode({'q': quoted})}")
