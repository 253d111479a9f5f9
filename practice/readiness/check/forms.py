"""An answer of a check, as its page sends it."""

from __future__ import annotations

from django.http import QueryDict

from practice.sessions.player.forms import small_number
from practice.sessions.player.rules import ItemState


def answer_in(post: QueryDict) -> ItemState:
    """The question answered and the places chosen; position 0, which no question has, if unreadable."""
    chosen = sorted({int(place) for place in post.getlist("place") if place.isdecimal() and len(place) < 4})
    return ItemState(position=small_number(post.get("position", "")), sequence=1, selected=tuple(chosen))
