"""The head of a page: title, description, URL, breadcrumb, preview, data block."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse

from courseiva.common.heads.links import Link
from courseiva.common.heads.structured_data import Node, crumbs, graph, web_page

LONGEST = 160  # characters of a description; other sites don't show more
PREVIEW = "img/preview.png"


class Subject(Protocol):
    """What a page is about, if that has its own picture and feed: an exam."""

    @property
    def slug(self) -> str:
        """Its name in addresses."""

    @property
    def name(self) -> str:
        """Its name."""


@dataclass(frozen=True)
class Head:
    """The head of a page. ``base`` is the site's scheme and host; ``trail`` ends with the page itself."""

    base: str
    address: str
    title: str
    description: str
    trail: Sequence[Link] = ()
    nodes: Sequence[Node] = ()
    exam: Subject | None = None
    is_indexed: bool = True

    @property
    def url(self) -> str:
        return self.base + self.address

    @property
    def graph(self) -> Node:
        return graph([*([crumbs(self.trail, self.base)] if self.trail else []), *self.nodes])

    @property
    def image(self) -> str:
        """The preview picture for other sites: the exam's, if there is one."""
        return self.base + staticfiles_storage.url(picture_of(self.exam.slug) if self.exam else PREVIEW)

    @property
    def feed(self) -> str:
        """The URL of the exam's feed."""
        return reverse("feed", args=[self.exam.slug]) if self.exam else ""


@cache
def picture_of(exam_slug: str) -> str:
    """The static preview picture of the exam, or the site's if it has none."""
    name = f"img/preview-{exam_slug}.png"
    return name if finders.find(name) else PREVIEW


def text_head(
    base: str,
    title: str,
    description: str,
    trail: Sequence[Link],
    nodes: Sequence[Node] = (),
    exam: Subject | None = None,
) -> Head:
    """The head of a text page; the last item of the trail is the page itself."""
    here = trail[-1].url
    return Head(base, here, title, short(description), trail, [web_page(title, here, base), *nodes], exam)


def short(text: str) -> str:
    """A description, cut to the length that is shown."""
    return textwrap.shorten(text, LONGEST, placeholder="…")
