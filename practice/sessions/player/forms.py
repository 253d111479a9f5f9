"""The session's form, as a page without JavaScript sends it."""

from __future__ import annotations

from django.http import QueryDict

from courseiva.common.masks import places_from_mask
from practice.sessions.models import PracticeSession
from practice.sessions.player.reads.page import CLOSED, base_of
from practice.sessions.player.rules import MAX_NUMBER, ItemState

MAX_DIGITS = 10
"""As many as MAX_NUMBER has. Checked before ``int``, which raises an error of its own for thousands of digits."""


def form_state(post: QueryDict) -> int:
    """The writer number the page was rendered with; an unreadable one counts as an old page's."""
    number = small_number(post.get("writer", ""))
    return number if number <= MAX_NUMBER else 0


def small_number(text: str) -> int:
    """A number sent by one of our pages; 0 for anything else, including one with too many digits to be a position."""
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else 0


def changed_states(session: PracticeSession, post: QueryDict, only: int | None = None) -> list[ItemState]:
    """What a page without JavaScript changed since it was rendered.

    The field ``base`` has that state, one part for each question in order (see ``ItemView.base``); a question without a
    part isn't on that page. ``only`` asks for just that position, changed or not. All get the same sequence, so the
    last of them counts as where the learner left off.
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
