"""Moderators' look-ups: comments by text, author or state, and the moderators themselves."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet

from discussion.comments.models.comments import Comment
from discussion.comments.models.moderation import Suspension
from discussion.trust.reads import may_moderate

PER_PAGE = 30
"""Arbitrary: a list of one-line results, a few screens on a phone."""
STATES = {"held": "waiting", "visible": "visible", "removed": "removed", "spam": "spam"}


@dataclass(frozen=True)
class SearchPage:
    """Search results, newest first."""

    pages: Page[Comment]


def search_comments(text: str, author: str, state: str, number: str) -> SearchPage:
    """Comments containing the text, by authors whose name contains ``author``, in that state; each can be empty."""
    rows = Comment.objects.filter(deleted_at=None).select_related("author", "version", "question__exam")
    if text:
        rows = rows.filter(text__icontains=text)
    if author:
        rows = rows.filter(written_by(author))
    if state in STATES:
        rows = rows.filter(state=state)
    return SearchPage(Paginator(rows.order_by("-pk"), PER_PAGE).get_page(number))


def moderators(now: dt.datetime) -> QuerySet[Any]:
    """Everybody who may moderate and is not suspended."""
    suspended = Suspension.objects.filter(until__gt=now, lifted_at=None).values("user")
    people = get_user_model().objects.filter(may_moderate(), is_active=True).exclude(pk__in=suspended)
    return people.distinct().order_by("pk")


def written_by(name: str, author: str = "author") -> Q:
    """Comments by authors with this public name; people without one are called by their number.

    ``author`` is the person's column, if the rows aren't comments.
    """
    named = Q(**{f"{author}__display_name__icontains": name})
    number = name.lower().removeprefix("learner").strip()
    if number.isascii() and number.isdecimal() and len(number) < 10:
        named |= Q(**{author: int(number), f"{author}__display_name": ""})
    return named
