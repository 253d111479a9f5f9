"""Data for machines in schema.org terms: nothing that the page itself doesn't show."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.urls import reverse

from courseiva.common.heads.links import Link
from courseiva.common.texts.formulas.mathml import as_text

CONTENT_LICENCE = "https://creativecommons.org/licenses/by/4.0/"
"""The licence of questions, study modules and articles; LICENSE names it next to the code's."""
CONTENT_CREDIT = "Courseiva"
"""Who must be credited for those that come with the site, whatever the site is called."""
TAGS = re.compile(r"<[^>]+>")
PICTURE = re.compile(r'<img\b[^>]*\balt="([^"]*)"[^>]*>')
Node = dict[str, Any]


def graph(nodes: Iterable[Node]) -> Node:
    return {"@context": "https://schema.org", "@graph": list(nodes)}


def plain_text(markup: str) -> str:
    """Sanitised HTML as the text a reader sees; formulas as TeX, pictures as their descriptions."""
    return " ".join(html.unescape(TAGS.sub("", PICTURE.sub(r" \1 ", as_text(markup)))).split())


def crumbs(trail: Sequence[Link], base: str) -> Node:
    """The page's breadcrumb as a BreadcrumbList."""
    items = [item(place, link, base) for place, link in enumerate(trail, 1)]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def item(place: int, link: Link, base: str) -> Node:
    return {"@type": "ListItem", "position": place, "name": link.name, "item": f"{base}{link.url}"}


def node(kind: str, name: str, address: str, base: str) -> Node:
    return {"@type": kind, "@id": f"{base}{address}#page", "url": f"{base}{address}", "name": name, "inLanguage": "en"}


def web_page(name: str, address: str, base: str, kind: str = "WebPage", **more: Any) -> Node:
    return node(kind, name, address, base) | more


def resource(name: str, address: str, base: str) -> Node:
    return node("LearningResource", name, address, base) | {"isAccessibleForFree": True, "license": CONTENT_LICENCE}


def corrections_policy(base: str) -> str:
    """The page about how errors are corrected."""
    return f"{base}{reverse('errata')}#policy"


def publisher(base: str) -> Node:
    """Who publishes a page, and the correction policy."""
    return {
        "@type": "Organization",
        "name": settings.SITE_NAME,
        "url": f"{base}/",
        "publishingPrinciples": f"{base}{reverse('article', args=['editorial-policy'])}",
        "correctionsPolicy": corrections_policy(base),
    }


def faq(pairs: Iterable[tuple[str, str]]) -> Node:
    """The questions and answers on the page, as plain text."""
    questions = [
        {"@type": "Question", "name": asked, "acceptedAnswer": {"@type": "Answer", "text": answer}}
        for asked, answer in pairs
    ]
    return {"@type": "FAQPage", "mainEntity": questions}
