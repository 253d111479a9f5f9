from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet

from practice.learners.models import Learner
from practice.learners.reads.zones import zone_of
from practice.sessions.models import UNLISTED, Mode, PracticeSession, SessionItem
from practice.sessions.rules import left_at
from questions.catalogue.models import Exam

PER_PAGE = 10
"""Each session draws a cell for every one of its questions, so ten mocks are six hundred of them."""
LATEST = 3
"""As many as the tally keeps, so that home shows the same three whether they are counted or read."""
HELD = ("session_id", "position", "selected", "checked_at", "writer", "sequence", "version__choose")
OFFER_AFTER = 2
"""After one session somebody is only looking. After two there's something to lose with the cookie."""


@dataclass(frozen=True)
class OpenSession:
    """A session that can be continued. ``here`` is the question where the learner left off."""

    session: PracticeSession
    answered: int
    is_over: bool
    here: int = 1

    @property
    def name(self) -> str:
        return session_name(self.session)

    @property
    def address(self) -> str:
        """Where the learner left off, with an anchor that works without JavaScript; the result if it is over."""
        return self.session.get_absolute_url() + ("" if self.is_over else f"#q{self.here}")


@dataclass(frozen=True)
class SheetCell:
    """A cell of a marked answer sheet. ``mark``: right, wrong, or None."""

    is_answered: bool
    mark: bool | None
    is_flagged: bool = False
    is_late: bool = False


@dataclass(frozen=True)
class PastSession:
    """A finished session with the cells of its marked sheet."""

    session: PracticeSession
    cells: list[SheetCell]

    @property
    def name(self) -> str:
        return session_name(self.session)

    @property
    def right(self) -> int:
        """How many were right; part of the sheet's accessible name."""
        return sum(cell.mark is True for cell in self.cells)

    @property
    def wrong(self) -> int:
        """How many were answered wrongly."""
        return sum(cell.is_answered and cell.mark is False for cell in self.cells)

    @property
    def unanswered(self) -> int:
        """How many have no answer, whether they count as wrong or not."""
        return sum(not cell.is_answered for cell in self.cells)


@dataclass(frozen=True)
class HistoryPage:
    """Past sessions, newest first, and unfinished ones. ``offer_account`` once two are finished."""

    past: list[PastSession]
    pages: Page[PracticeSession] | None
    open: list[OpenSession]
    is_guest: bool
    offer_account: bool
    zone: dt.tzinfo


def history_page(learner: Learner | None, number: str, now: dt.datetime) -> HistoryPage:
    """One page of history; the number of queries doesn't grow with the number of sessions."""
    if learner is None:
        return HistoryPage([], None, [], True, False, dt.UTC)
    pages = Paginator(_finished(learner), PER_PAGE)
    page = pages.get_page(number)
    is_guest = learner.user_id is None
    return HistoryPage(
        past=_with_cells(list(page.object_list)),
        pages=page,
        open=open_sessions(learner, now),
        is_guest=is_guest,
        offer_account=is_guest and pages.count >= OFFER_AFTER,
        zone=zone_of(learner),
    )


def latest_sessions(learner: Learner, exam: Exam) -> list[PastSession]:
    """The most recently finished sessions in this exam, newest first, in two queries."""
    return _with_cells(list(_finished(learner).filter(exam=exam)[:LATEST]))


def _finished(learner: Learner) -> QuerySet[PracticeSession]:
    rows = PracticeSession.objects.filter(learner=learner, finished_at__isnull=False).exclude(mode__in=UNLISTED)
    return rows.select_related("exam", "blueprint").order_by("-finished_at", "-pk")


def open_sessions(learner: Learner, now: dt.datetime) -> list[OpenSession]:
    """Sessions that are neither finished nor discarded, newest first, in two queries."""
    rows = PracticeSession.objects.filter(learner=learner, finished_at=None, discarded_at=None)
    sessions = list(rows.exclude(mode=Mode.PAGE).select_related("exam", "blueprint"))
    items = defaultdict(list)
    for item in SessionItem.objects.filter(session__in=sessions).values_list(*HELD, named=True) if sessions else ():
        items[item.session_id].append(item)
    return [
        OpenSession(
            session=session,
            answered=sum(
                i.selected.bit_count() >= (1 if i.checked_at else i.version__choose) for i in items[session.pk]
            ),
            is_over=session.expired(now),
            here=left_at((i.writer, i.sequence, i.position) for i in items[session.pk]),
        )
        for session in sessions
    ]


def session_name(session: PracticeSession) -> str:
    """As in "Mock exam, 60 questions, June 2026 guide"."""
    name = str(Mode(session.mode).label).capitalize()
    return f"{name}: {session.label}" if session.label else name


def _with_cells(sessions: list[PracticeSession]) -> list[PastSession]:
    """The sessions with their sheets, in one query for all of them."""
    cells = defaultdict(list)
    items = SessionItem.objects.filter(session__in=sessions).order_by("session_id", "position")
    columns = ("session_id", "selected", "is_correct", "withheld")
    for session_id, selected, is_correct, withheld in items.values_list(*columns):
        cells[session_id].append(SheetCell(bool(selected), None if withheld and selected else is_correct))
    return [PastSession(session, cells[session.pk]) for session in sessions]
