"""Takedown requests as seen by moderators."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import F

from discussion.comments.models.takedowns import Takedown

PER_PAGE = 20
"""Each may hold pages of text, and waiting ones come first."""


@dataclass(frozen=True)
class TakedownsPage:
    """Waiting requests first, oldest on top; then answered ones, latest first."""

    pages: Page[Takedown]


def find_takedown(token: uuid.UUID) -> Takedown | None:
    return Takedown.objects.filter(token=token).first()


def one_takedown(takedown_id: int) -> Takedown | None:
    return Takedown.objects.select_related("answered_by").filter(pk=takedown_id).first()


def takedowns_page(number: str) -> TakedownsPage:
    rows = Takedown.objects.order_by(F("answered_at").desc(nulls_first=True), "made_at", "pk")
    return TakedownsPage(Paginator(rows, PER_PAGE).get_page(number))
