"""A finished session as a paper booklet: a blank answer sheet, the questions as they stood, and the key last."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from courseiva.common.masks import order_slots, places_from_mask
from practice.learners.reads.zones import zone_of
from practice.sessions.models import PracticeSession
from practice.sessions.reads.history import session_name
from practice.sessions.scoring.reads import keys_in_force
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import LETTERS


@dataclass(frozen=True)
class BookletItem:
    """One question on paper: its options by letter, and the letters that are right (several lists: either counts).

    Of one that is ``withheld`` there is only its place.
    """

    position: int
    stem_html: str
    choose: int
    is_multiple: bool
    options: list[tuple[str, str]]
    key: str
    withheld: bool = False


@dataclass(frozen=True)
class Booklet:
    session: PracticeSession
    name: str
    items: list[BookletItem]
    zone: dt.tzinfo


def booklet_of(session: PracticeSession) -> Booklet:
    """The booklet of a finished session, in four statements."""
    rows = list(session.items.order_by("position").values_list("position", "version_id", "option_order", "withheld"))
    versions = QuestionVersion.objects.in_bulk([version for _, version, _, withheld in rows if not withheld])
    keys = keys_in_force(versions)
    items = []
    for position, version_id, order, withheld in rows:
        if withheld:
            items.append(BookletItem(position, "", 1, False, [], "withheld", withheld=True))
            continue
        version = versions[version_id]
        letters = [LETTERS[place] for place in range(len(order))]
        texts = [version.options_html[str(slot)] for slot in order_slots(order)]
        right = [" ".join(LETTERS[p] for p in places_from_mask(mask, order)) for mask in keys[version_id].masks]
        items.append(
            BookletItem(
                position=position,
                stem_html=version.stem_html,
                choose=version.choose,
                is_multiple=version.choose > 1,
                options=list(zip(letters, texts, strict=True)),
                key=" or ".join(right) or "left out",
            )
        )
    return Booklet(session, session_name(session), items, zone_of(session.learner))
