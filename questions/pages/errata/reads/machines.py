"""Errata for machines: the page's head and data block, and the list as JSON."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.urls import reverse

from courseiva.common.heads.head import Head, short
from courseiva.common.heads.links import Link
from courseiva.common.heads.structured_data import CONTENT_LICENCE, corrections_policy, publisher, web_page
from questions.pages.errata.reads.errata import ErrataPage, Erratum


def errata_head(page: ErrataPage, base: str) -> Head:
    number, address = page.page.number, reverse("errata")
    later = number > 1
    title = f"Errata, page {number}" if later else "Errata"
    here = f"{address}?page={number}" if later else address
    return Head(
        base=base,
        address=here,
        title=title,
        description=short(
            "What was corrected in published questions, when and why, what readers reported, what was retired, and "
            "our correction policy" + (f": page {number}." if later else ".")
        ),
        trail=[Link("Errata", here)],
        nodes=[web_page(title, here, base, license=CONTENT_LICENCE, publisher=publisher(base))],
    )


def errata_data(page: ErrataPage, base: str) -> dict[str, Any]:
    """One page of the errata as plain data; the kinds are those of docs/errata.md."""
    pages, here = page.page, f"{base}{reverse('errata-json')}"
    return {
        "title": f"{settings.SITE_NAME} errata",
        "url": f"{base}{reverse('errata')}",
        "policy": corrections_policy(base),
        "license": CONTENT_LICENCE,
        "count": page.total,
        "next": f"{here}?page={pages.next_page_number()}" if pages.has_next() else None,
        "errata": [_row(line, base) for line in page.lines],
    }


def _row(line: Erratum, base: str) -> dict[str, Any]:
    return {
        "id": line.key,
        "kind": line.kind,
        "date": line.at.isoformat(),
        "exam": line.exam,
        "question": line.question,
        "title": line.title,
        "url": f"{base}{line.url}",
        "version": line.version,
        "note": line.note,
        "successor": f"{base}{line.successor.url}" if line.successor else None,
    }
