"""A learner's tally, stored or counted for this page, and the sessions that aren't in it yet."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet, Subquery

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner
from practice.learners.reads.zones import zone_of
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.reads.history import OpenSession, PastSession, SheetCell
from practice.sessions.reads.tally.rules import (
    Paces,
    Row,
    Seen,
    Tally,
    met_in,
    paces,
    paces_in,
    past_in,
    seen_in,
    tally,
    unpack,
)
from practice.sessions.rules import left_at
from questions.catalogue.models import Exam
from questions.versions.models.versions import QuestionVersion

COLUMNS = (
    "session", "position", "session__mode", "session__started_at", "session__finished_at", "session__discarded_at",
    "session__deadline", "version", "version__question", "version__domain", "selected", "first_selected", "seconds",
    "displayed_at", "answered_at", "checked_at", "is_correct", "first_exposure", "variant_seen", "confidence",
    "miss_class", "withheld",
)  # fmt: skip
OF_ITEM = ("writer", "sequence", "version__choose", "version__question__family")
OF_SESSION = ("uuid", "label", "ended", "paused_at", "total", "score", "analysed_at", "exam_id")
"""What else is needed from a session, once per item: what a Row has isn't fetched twice."""
OF_EXAM = ("code", "slug", "name")


@dataclass(frozen=True)
class Held:
    """An item of an unfinished session, or of one shown in a list."""

    row: Row
    writer: int
    sequence: int
    choose: int
    family: int | None


@dataclass(frozen=True)
class Moving:
    """A session with its items, in order."""

    session: PracticeSession
    items: list[Held]

    @property
    def is_open(self) -> bool:
        """Whether it can be continued."""
        return self.session.is_open and self.session.mode != Mode.PAGE

    def as_open(self, now: dt.datetime) -> OpenSession:
        """The session as ``open_sessions`` returns it."""
        return OpenSession(
            session=self.session,
            answered=sum(
                each.row.selected.bit_count() >= (1 if each.row.checked else each.choose) for each in self.items
            ),
            is_over=self.session.expired(now),
            here=left_at((each.writer, each.sequence, each.row.position) for each in self.items),
        )

    def as_past(self) -> PastSession:
        """The session as ``latest_sessions`` returns it."""
        rows = [each.row for each in self.items]
        cells = [SheetCell(bool(row.selected), None if row.withheld and row.selected else row.right) for row in rows]
        return PastSession(self.session, cells)


class Met(NamedTuple):
    """Questions that were answered or whose solution was shown, by a time."""

    questions: frozenset[int]
    until: dt.datetime


@dataclass(frozen=True)
class Current:
    """A learner's counts in an exam up to now. ``moving`` are of all exams, newest first.

    ``is_kept``: the counts of marks are the stored ones.
    """

    tally: Tally
    moving: list[Moving]
    exam_id: int
    is_kept: bool

    @property
    def open(self) -> list[Moving]:
        """Sessions that can be continued, in any exam."""
        return [each for each in self.moving if each.is_open]

    @property
    def past(self) -> list[PastSession]:
        """The exam's most recently finished sessions, newest first, as requested."""
        found = {each.session.pk: each for each in self.moving}
        return [found[pk].as_past() for pk in self.tally.latest if pk in found]

    @property
    def waiting(self) -> int:
        """How many finished sessions in the exam aren't analysed yet."""
        mine = [each.session for each in self.moving if each.session.exam_id == self.exam_id]
        return sum(session.finished_at is not None and session.analysed_at is None for session in mine)

    @cached_property
    def locked(self) -> frozenset[int]:
        """The families with a question in an unfinished mock."""
        mocks = [each for each in self.moving if each.is_open and each.session.mode == Mode.MOCK]
        return frozenset(item.family for mock in mocks for item in mock.items if item.family)


def current(
    learner: Learner, exam_id: int, kept: str, as_of: dt.datetime | None, now: dt.datetime, *, with_past: bool = False
) -> Current:
    """In one query if a tally is stored; otherwise the whole history is counted, in two more.

    This also happens until a finished session is analysed, and if the learner's time zone has changed.
    """
    zone = zone_of(learner)
    known = unpack(kept) if kept and as_of else None
    if known is None or as_of is None or known.zone != str(zone):
        known = tally_of(learner, rows_of(learner.pk, exam_id), now)
        return Current(known, moving(learner, exam_id, now, known.latest if with_past else ()), exam_id, is_kept=False)
    found = moving(learner, exam_id, as_of, known.latest if with_past else ())
    mine = [each for each in found if each.session.exam_id == exam_id]
    if any(each.session.finished_at and each.session.finished_at > as_of for each in mine):
        return Current(tally_of(learner, rows_of(learner.pk, exam_id), now), found, exam_id, is_kept=False)
    fresh = [item.row for each in mine if each.session.finished_at is None for item in each.items]
    return Current(known.with_rows(fresh, zone, now.astimezone(zone).date()), found, exam_id, is_kept=True)


def kept_tally(learner_id: int, exam_id: int) -> Subquery:
    """A learner's stored tally in an exam, as part of another statement; null if there is none."""
    return Subquery(Learner.objects.filter(pk=learner_id, standings__exam=exam_id).values("standings__tally")[:1])


def latest_paces(learner_id: int, exam_id: int, kept: str | None) -> Paces:
    """The paces in the stored tally, so that no long history is sorted; today's answers follow once analysed.

    Without a tally they are counted, in one statement.
    """
    return paces_in(kept) if kept else paces(rows_of(learner_id, exam_id))


def seen_by(learner: Learner, exam_id: int, kept: str, as_of: dt.datetime) -> frozenset[int]:
    """The questions displayed up to this moment: those in the stored tally and all since, analysed or not; in one
    statement."""
    return seen_in(kept).union(_displayed_since(learner.pk, exam_id, as_of))


def seen_questions_by(learner_id: int, exam_id: int) -> Seen | None:
    """The questions displayed up to this moment, from the stored tally and what came since; in two statements.

    None if no tally is stored. What finished since counts as shown once it is analysed.
    """
    for kept, as_of in _kept(learner_id, exam_id):
        if kept and as_of:
            seen, since = past_in(kept), set(_displayed_since(learner_id, exam_id, as_of))
            oldest = tuple(question for question in seen.oldest if question not in since)
            return Seen(seen.all | since, seen.shown, oldest)
    return None


def met_by(learner_id: int, exam_id: int) -> Met | None:
    """The questions met by the time of the stored tally, and that time; None if there is none that knows them."""
    for kept, as_of in _kept(learner_id, exam_id):
        questions = met_in(kept) if kept and as_of else None
        return None if questions is None else Met(questions, as_of)
    return None


@composed_once
def _kept(learner: int, exam: int) -> QuerySet[Learner, Any]:
    rows = Learner.objects.filter(pk=learner, standings__exam=exam)
    return rows.values_list("standings__tally", "standings__as_of")


def rows_of(learner_id: int, exam_id: int, until: dt.datetime | None = None) -> list[Row]:
    """All of a learner's items in an exam, or those closed by then; in one query."""
    items = SessionItem.objects.filter(session__learner=learner_id, session__exam=exam_id)
    if until:
        pages = Q(session__mode=Mode.PAGE) & (Q(answered_at__lte=until) | Q(answered_at=None))
        over = Q(session__finished_at__lte=until) | Q(session__discarded_at__lte=until)
        items = items.filter(over | pages)
    return [Row(*row) for row in items.order_by().values_list(*COLUMNS)]


def tally_of(learner: Learner, rows: Sequence[Row], now: dt.datetime) -> Tally:
    """The counted rows, by days in the learner's time zone; in one query."""
    zone = zone_of(learner)
    return tally(rows, _concepts(rows), (str(zone), zone), now.astimezone(zone).date())


def moving(learner: Learner, exam_id: int, since: dt.datetime, also: Collection[int]) -> list[Moving]:
    """Sessions that are unfinished or not analysed, those in the exam that ended since then, and ``also``; in one
    query.

    Of answers on question pages, only those since then.
    """
    found: dict[int, Moving] = {}
    for values in _moving(learner.pk, exam_id, since, also):
        row, rest = Row(*values[: len(COLUMNS)]), values[len(COLUMNS) :]
        if row.session not in found:
            found[row.session] = Moving(_session(learner, row, rest[len(OF_ITEM) :]), [])
        found[row.session].items.append(Held(row, *rest[: len(OF_ITEM)]))
    return list(found.values())


@composed_once
def _moving(learner: int, exam: int, since: dt.datetime, also: Collection[int]) -> QuerySet[SessionItem, Any]:
    items = items_since(learner, exam, since, also)
    of_session = (*(f"session__{name}" for name in OF_SESSION), *(f"session__exam__{name}" for name in OF_EXAM))
    return items.order_by("-session__started_at", "session", "position").values_list(*COLUMNS, *OF_ITEM, *of_session)


@composed_once
def _displayed_since(learner: int, exam: int, since: dt.datetime) -> QuerySet[SessionItem, Any]:
    items = items_since(learner, exam, since, ()).filter(session__exam=exam, displayed_at__isnull=False)
    return items.order_by().values_list("version__question", flat=True)


def items_since(
    learner: int, exam: int, since: dt.datetime, also: Collection[int]
) -> QuerySet[SessionItem, SessionItem]:
    """What a tally of that time doesn't have: all of a learner's unsettled sessions, those of the exam that ended since
    then, and ``also``.

    The sessions are selected first, so that no item of a long history is looked at.
    """
    ended = Q(finished_at__gt=since) | Q(discarded_at__gt=since)
    unsettled = Q(analysed_at=None, discarded_at=None)
    sessions = PracticeSession.objects.filter(unsettled | (Q(exam=exam) & ended) | Q(pk__in=also), learner=learner)
    items = SessionItem.objects.filter(session__in=sessions.order_by().values("pk"))
    return items.filter(~Q(session__mode=Mode.PAGE) | Q(answered_at__gt=since) | Q(answered_at=None))


def _session(learner: Learner, row: Row, values: Sequence[object]) -> PracticeSession:
    facts = dict(zip(OF_SESSION, values, strict=False))
    exam = Exam(pk=int(str(facts.pop("exam_id"))), **dict(zip(OF_EXAM, values[len(OF_SESSION) :], strict=True)))
    return PracticeSession(
        learner=learner, exam=exam, id=row.session, mode=row.mode, started_at=row.started, deadline=row.deadline,
        finished_at=row.finished, discarded_at=row.discarded, **facts,
    )  # fmt: skip


def _concepts(rows: Iterable[Row]) -> dict[int, list[int]]:
    """The concepts of each version answered as a first exposure."""
    found = defaultdict(list)
    links = QuestionVersion.concepts.through.objects.filter(
        questionversion__in={row.version for row in rows if row.first and row.right is not None}
    )
    for version, concept in links.order_by().values_list("questionversion_id", "concept_id"):
        found[version].append(concept)
    return found
