"""The typed answer sheet: unreadable rows are reported and don't keep others from being saved."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import QueryDict

from courseiva.common.masks import places_from_mask
from practice.sessions.models import PracticeSession, SessionItem
from practice.sessions.player.paper.rules import BadLetter, read_letters
from practice.sessions.player.reads.page import CLOSED, base_of
from practice.sessions.player.rules import ItemState
from questions.versions.reads.breakdowns import LETTERS

LONGEST = 40
"""How much of an unreadable row's text is shown again."""


@dataclass
class Typed:
    """What a sheet changed since it was rendered, and the unreadable entries by position."""

    states: list[ItemState] = field(default_factory=list)
    wrong: dict[int, tuple[str, str]] = field(default_factory=dict)


def read_sheet(session: PracticeSession, post: QueryDict) -> Typed:
    """Read the rows ``t-1``, ``t-2`` and so on; ``base`` holds what the page was drawn with (``TypedRow.base``)."""
    typed = Typed()
    items = list(session.items.order_by("position"))
    sequence = 1 + max((item.sequence for item in items), default=0)
    drawn = dict(enumerate(post.get("base", "").split(";"), start=1)) if "base" in post else {}
    for item in items:
        text, base = post.get(f"t-{item.position}"), drawn.get(item.position, CLOSED)
        if text is None or base == CLOSED:
            continue
        try:
            places = read_letters(text, LETTERS[: len(item.option_order)])
        except BadLetter as error:
            typed.wrong[item.position] = (text[:LONGEST], error.letter)
            continue
        if base.removesuffix("f") != base_of(places, flagged=False):
            typed.states.append(_state(item, places, sequence))
    return typed


def _state(item: SessionItem, places: tuple[int, ...], sequence: int) -> ItemState:
    """The item with this answer. Not displayed: no page has measured how long a printed question was read."""
    return ItemState(
        position=item.position,
        sequence=sequence,
        selected=places,
        struck=tuple(places_from_mask(item.struck, item.option_order)),
        flagged=item.flagged,
        confidence=item.confidence,
        seconds=item.seconds,
        displayed=False,
    )
