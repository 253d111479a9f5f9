"""The session's one form, as a page without script sends it."""

from __future__ import annotations

from django.http import QueryDict

from courseiva.common.masks import places_from_mask
from practice.sessions.models import PracticeSession
from practice.sessions.player.reads.page import CLOSED, base_of
from practice.sessions.player.rules import MAX_NUMBER, ItemState

MAX_DIGITS = 10


def form_state(post: QueryDict) -> int:
    """The writer number the page was drawn with; one that cannot be read counts as an old page's."""
    number = small_number(post.get("writer", ""))
    return number if number <= MAX_NUMBER else 0


def small_number(text: str) -> int:
    """A number a page of ours has sent; 0 for anything else, so for one of more digits than can be a place."""
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else 0


def changed_states(session: PracticeSession, post: QueryDict, only: int | None = None) -> list[ItemState]:
    """What a page without script changed against what it was drawn with.

    The field ``base`` holds that, one part for each question in order (see ``ItemView.base``); a question without a
    part is not on that page. ``only`` asks for that position alone, changed or not. All get one sequence, so that the
    last of them counts as the place where the learner left.
    """
    states = []
    items = list(session.items.order_by("position"))
    sequence = 1 + max((item.sequence for item in items), default=0)
    base = post.get("base", "")
    drawn = dict(enumerate(base.split(";"), start=1)) if "base" in post else {}
    for item in items:
        n = item.position
        if (only is not None and n != only) or drawn.get(n, CLOSED) == CLOSED:
            continue
        chosen = sorted({int(place) for place in post.getlist(f"a-{n}") if place.isdecimal() and len(place) < 4})
        flagged = f"f-{n}" in post
        confidence = _confidence(post, n)
        if only is None and drawn[n] == base_of(chosen, flagged) and confidence is None:
            continue
        states.append(
            ItemState(
                position=n,
                sequence=sequence,
                selected=tuple(chosen),
                struck=tuple(places_from_mask(item.struck, item.option_order)),
                flagged=flagged,
                confidence=confidence or item.confidence,
                seconds=item.seconds,
                displayed=False,
            )
        )
    return states


def _confidence(post: QueryDict, position: int) -> int | None:
    value = post.get(f"c-{position}", "")
    return int(value) if value in ("1", "2", "3") else None
