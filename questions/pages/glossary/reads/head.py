"""The glossary for machines: a set of defined terms, as on the page."""

from __future__ import annotations

from collections.abc import Sequence

from django.urls import reverse

from courseiva.common.heads.head import Head, short
from courseiva.common.heads.links import Link
from courseiva.common.heads.structured_data import Node, node
from questions.pages.glossary.reads.page import GlossaryPage, TermLine


def glossary_head(page: GlossaryPage, base: str) -> Head:
    """The head, with the terms as a set of defined terms."""
    address = reverse("glossary")
    title = "Glossary"
    described = node("DefinedTermSet", title, address, base) | {"hasDefinedTerm": _terms(page.lines, base)}
    return Head(
        base=base,
        address=address,
        title=title,
        description=short(
            f"{_count(len(page.lines))} that the questions and study modules name: what each is, its former name, "
            "whether and when it is being retired, and what replaces it."
        ),
        trail=[Link(title, address)],
        nodes=[described],
    )


def _count(products: int) -> str:
    return f"{products} product{'' if products == 1 else 's'}" if products else "The products"


def _terms(lines: Sequence[TermLine], base: str) -> list[Node]:
    return [
        {"@type": "DefinedTerm", "name": line.term.name, "url": f"{base}{line.term.get_absolute_url()}"}
        | ({"description": line.term.what} if line.term.what else {})
        for line in lines
    ]
