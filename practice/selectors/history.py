"""The learner's past and running sittings."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q

from practice.models import Learner, Mode, PracticeSession, SessionItem
from practice.zones import zone_of

PER_PAGE = 10
OFFER_AFTER = 2


@dataclass(frozen=True)
class OpenSitting:
    """A sitting that can be gone on with."""

    session: PracticeSession
    answered: int
    is_over: bool

    @property
    def name(self) -> str:
        """What it is, in words."""
        return sitting_name(self.session)


@dataclass(frozen=True)
class PastSitting:
    """A finished sitting with the cells of its marked sheet; each cell is its class names."""

    session: PracticeSession
    cells: list[str]

    @property
    def name(self) -> str:
        """What it was, in words."""
        return sitting_name(self.session)

    @property
    def sheet_name(self) -> str:
        """The sheet in words, for whoever does not see it."""
        right = sum("is-right" in cell for cell in self.cells)
        wrong = sum("is-wrong" in cell for cell in self.cells)
        return f"{len(self.cells)} questions: {right} right, {wrong} wrong or left open"


@dataclass(frozen=True)
class HistoryPage:
    """Past sittings, newest first, and what is still open. ``offer_account`` once two are finished."""

    past: list[PastSitting]
    pages: Page[PracticeSession] | None
    open: list[OpenSitting]
    is_guest: bool
    offer_account: bool
    zone: dt.tzinfo


def history_page(learner: Learner | None, number: str, now: dt.datetime) -> HistoryPage:
    """One page of history; the statements do not grow with the number of sittings."""
    if learner is None:
        return HistoryPage([], None, [], True, False, dt.UTC)
    rows = PracticeSession.objects.filter(learner=learner, finished_at__isnull=False).exclude(mode=Mode.PAGE)
    pages = Paginator(rows.select_related("exam", "blueprint").order_by("-finished_at", "-pk"), PER_PAGE)
    page = pages.get_page(number)
    is_guest = learner.user_id is None
    return HistoryPage(
        past=_with_cells(list(page.object_list)),
        pages=page,
        open=open_sittings(learner, now),
        is_guest=is_guest,
        offer_account=is_guest and pages.count >= OFFER_AFTER,
        zone=zone_of(learner),
    )


def open_sittings(learner: Learner, now: dt.datetime) -> list[OpenSitting]:
    """Sittings that are neither finished nor discarded, newest first, in one statement."""
    rows = PracticeSession.objects.filter(learner=learner, finished_at=None, discarded_at=None)
    rows = rows.exclude(mode=Mode.PAGE).select_related("exam", "blueprint")
    counted = rows.annotate(answered=Count("items__position", filter=Q(items__selected__gt=0)))
    return [OpenSitting(session, session.answered, session.expired(now)) for session in counted]


def sitting_name(session: PracticeSession) -> str:
    """Mock exam, 60 questions, June 2026 guide."""
    name = str(Mode(session.mode).label).capitalize()
    return f"{name}: {session.label}" if session.label else name


def _with_cells(sessions: list[PracticeSession]) -> list[PastSitting]:
    """The sittings with their sheets, for all of them in one statement."""
    cells = defaultdict(list)
    items = SessionItem.objects.filter(session__in=sessions).order_by("session_id", "position")
    columns = ("session_id", "selected", "is_correct", "withheld")
    for session_id, selected, is_correct, withheld in items.values_list(*columns):
        cells[session_id].append(cell_class(bool(selected), None if withheld and selected else is_correct))
    return [PastSitting(session, cells[session.pk]) for session in sessions]


def cell_class(answered: bool, is_correct: bool | None) -> str:
    """The class names of a judged cell on the answer sheet."""
    mark = {True: "is-right", False: "is-wrong", None: ""}[is_correct]
    return " ".join(name for name in ("is-answered" if answered else "", mark) if name)
