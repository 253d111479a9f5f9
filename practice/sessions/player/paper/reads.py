"""A session as a paper booklet, and the page for typing in its answer sheet. While it runs, neither reads a key."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass

from courseiva.common.masks import order_slots, places_from_mask
from practice.learners.reads.zones import zone_of
from practice.sessions.models import DRILLS, Mode, PracticeSession, SessionItem
from practice.sessions.player.reads.page import CLOSED, base_of, remaining_ms
from practice.sessions.reads.history import session_name
from practice.sessions.scoring.reads import keys_in_force
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import LETTERS

ON_PAPER = (Mode.MOCK, *(mode for mode in DRILLS if mode != Mode.CHECK))
"""A check chooses each question by the answer before it, so there is nothing to print."""
HELD = (
    "session", "position", "option_order", "selected", "struck", "flagged", "confidence", "seconds", "checked_at",
)  # fmt: skip
COLUMNS = 6
"""An answer sheet has A to F: none of our questions has more options."""


@dataclass(frozen=True)
class BookletItem:
    """One question on paper: its options by letter, and the right letters (several lists: any of them counts).

    A ``withheld`` question has only its position. ``key`` is "" while the session is running.
    """

    position: int
    stem_html: str
    choose: int
    options: list[tuple[str, str]]
    key: str
    withheld: bool = False

    @property
    def is_multiple(self) -> bool:
        return self.choose > 1

    @property
    def bubbles(self) -> list[str]:
        """Its letters, with blanks in the answer sheet's columns for which it has no option."""
        letters = [letter for letter, _ in self.options]
        return letters + [""] * (COLUMNS - len(letters))


@dataclass(frozen=True)
class Booklet:
    session: PracticeSession
    name: str
    items: list[BookletItem]
    zone: dt.tzinfo

    @property
    def has_key(self) -> bool:
        """Whether the key is shown: only once the session is over."""
        return self.session.finished_at is not None

    @property
    def letters(self) -> str:
        """The head of the answer sheet's columns."""
        return LETTERS[:COLUMNS]


@dataclass(frozen=True)
class TypedRow:
    """A row of the sheet: the stored or typed letters, and ``wrong``, the letter that matches no option.

    ``known`` is the rest of the item's state, as the player sends it; "" if there is none.
    """

    position: int
    choose: int
    letters: str
    typed: str
    base: str
    is_closed: bool
    chosen: int
    known: str = ""
    wrong: str = ""

    @property
    def state(self) -> str:
        """wrong, closed, unanswered, incomplete, too-many or answered."""
        if self.wrong or self.is_closed:
            return "wrong" if self.wrong else "closed"
        if not self.chosen:
            return "unanswered"
        return "incomplete" if self.chosen < self.choose else "too-many" if self.chosen > self.choose else "answered"


@dataclass(frozen=True)
class TypedSheet:
    """The page on which a paper answer sheet is typed in."""

    session: PracticeSession
    rows: list[TypedRow]
    remaining_ms: int | None
    zone: dt.tzinfo
    paused: bool = False  # a paused session shows its own page instead

    @property
    def base(self) -> str:
        """The state the page is rendered with, for a save without JavaScript."""
        return ";".join(row.base for row in self.rows)

    @property
    def wrong(self) -> list[TypedRow]:
        """Rows that couldn't be read."""
        return [row for row in self.rows if row.wrong]

    @property
    def answered(self) -> int:
        return sum(row.state in ("answered", "too-many", "closed") for row in self.rows)


def is_on_paper(session: PracticeSession) -> bool:
    """Whether a session can be printed: finished or running, but not paused, which hides the questions."""
    return session.finished_at is not None or takes_typing(session)


def takes_typing(session: PracticeSession) -> bool:
    """Whether a paper answer sheet can be typed into it."""
    return session.is_open and session.paused_at is None and session.mode in ON_PAPER


def booklet_of(session: PracticeSession) -> Booklet:
    """The booklet of a session, in four queries; while it is running, in two and without its key."""
    rows = list(session.items.order_by("position").values_list("position", "version_id", "option_order", "withheld"))
    prompts = QuestionVersion.objects.only("choose", "stem_html", "options_html")
    versions = prompts.in_bulk([version for _, version, _, withheld in rows if not withheld])
    keys = keys_in_force(versions) if session.finished_at else {}
    items = []
    for position, version_id, order, withheld in rows:
        if withheld:
            items.append(BookletItem(position, "", 1, [], "", withheld=True))
            continue
        version = versions[version_id]
        texts = [version.options_html[str(slot)] for slot in order_slots(order)]
        masks = keys[version_id].masks if keys else ()
        right = [" ".join(LETTERS[place] for place in places_from_mask(mask, order)) for mask in masks]
        key = " or ".join(right) or "left out" if keys else ""
        options = list(zip(LETTERS, texts, strict=False))
        items.append(BookletItem(position, version.stem_html, version.choose, options, key))
    return Booklet(session, session_name(session), items, zone_of(session.learner))


def typed_sheet(
    session: PracticeSession, now: dt.datetime, wrong: Mapping[int, tuple[str, str]] | None = None
) -> TypedSheet:
    """The sheet with the server's answers, in one query.

    ``wrong`` has, by position, what was typed and couldn't be read, and the letter that matches no option.
    """
    items = session.items.select_related("version").only(*HELD, "version__choose")
    rows = [_row(item, *(wrong or {}).get(item.position, ("", ""))) for item in items.order_by("position")]
    return TypedSheet(session, rows, remaining_ms(session, now), zone_of(session.learner))


def _row(item: SessionItem, typed: str, wrong: str) -> TypedRow:
    places = places_from_mask(item.selected, item.option_order)
    closed = item.checked_at is not None
    return TypedRow(
        position=item.position,
        choose=item.version.choose,
        letters=LETTERS[: len(item.option_order)],
        typed=typed if wrong else " ".join(LETTERS[place] for place in places),
        base=CLOSED if closed else base_of(places, item.flagged),
        is_closed=closed,
        chosen=len(places),
        known=_known(item),
        wrong=wrong,
    )


def _known(item: SessionItem) -> str:
    struck = places_from_mask(item.struck, item.option_order)
    facts = {"out": struck, "flag": item.flagged, "conf": item.confidence, "sec": item.seconds}
    return json.dumps(facts) if any(facts.values()) else ""
