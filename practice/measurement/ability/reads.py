"""A learner's whole history in an exam, in the order in which it became known."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeAlias

from django.db.models import Case, Q, QuerySet, When

from courseiva.common.quick.statements import composed_once
from practice.measurement.ability.rules.belief import GivenAnswer, ItemBelief, sibling_weight
from practice.measurement.ability.rules.blanks import Blanks, Clock, Place, blanks
from practice.measurement.ability.rules.pace import PastMock
from practice.sessions.models import Ended, Mode, SessionItem

EPOCH = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
COLUMNS = (
    "session__finished_at", "session__discarded_at", "session", "position", "session__mode", "session__started_at",
    "session__paused_seconds", "session__given_seconds", "session__closed_seconds", "session__minutes",
    "session__time_factor", "session__ended", "version", "version__question", "version__domain",
    "version__question__family", "answered_at", "checked_at", "displayed_at", "seconds", "evidence",
    "first_exposure", "hint_opened", "revealed", "version__is_basic",
)  # fmt: skip
Meeting: TypeAlias = tuple[dt.datetime, dt.datetime, int]
"""When a question was seen, when that became known, and the question's id."""


class Row(NamedTuple):
    """A stored item with what is needed from its session, as ``COLUMNS`` name it.

    ``right`` is None if the mark is no evidence: not marked, left out of the score, or right for everybody.
    """

    finished: dt.datetime | None
    discarded: dt.datetime | None
    session: int
    position: int
    mode: str
    started: dt.datetime
    paused: int
    given: int
    closed: int
    minutes: int | None
    factor: Decimal
    ended: str
    version: int
    question: int
    domain: int
    family: int | None
    answered: dt.datetime | None
    checked: dt.datetime | None
    displayed: dt.datetime | None
    seconds: int
    right: bool | None
    first: bool | None
    hint: bool
    revealed: bool
    basic: bool

    @property
    def known(self) -> dt.datetime | None:
        """When its session ended; for an answer on a question page, when it was given.

        None in an unfinished session.
        """
        return self.finished or self.discarded or (self.answered if self.mode == Mode.PAGE else None)

    @property
    def unit(self) -> int:
        """The unit's number, as ``practice/sessions/reads/units.py`` defines it."""
        return self.family or -self.question


@dataclass(frozen=True)
class PastAnswer:
    """A marked answer, or a miss without one: a question omitted in a mock, or a solution opened in a drill.

    ``known_at`` is when its session ended or, for a question page, when it was given. ``after_sibling`` is how many
    days earlier another question of its family was last seen; None if never.
    """

    known_at: dt.datetime
    version: int
    question: int
    domain: int
    right: bool
    first: bool
    after_sibling: float | None = None

    def given(self, belief: ItemBelief) -> GivenAnswer:
        """The answer in the form the learner model takes."""
        days = days_of(self.known_at)
        weight = 1.0 if self.after_sibling is None else sibling_weight(self.after_sibling)
        return GivenAnswer(days, self.domain, self.question, belief, self.right, self.first, weight)


@dataclass(frozen=True)
class Past:
    """Everything a forecast is based on, each list in the order in which it became known.

    ``mocks`` are those not abandoned, ``abandoned`` the sessions of those that were; ``met`` the units displayed.
    """

    answers: Sequence[PastAnswer] = ()
    mocks: Sequence[tuple[dt.datetime, PastMock]] = ()
    abandoned: frozenset[int] = frozenset()
    met: Sequence[tuple[dt.datetime, int]] = ()

    def mocks_until(self, moment: dt.datetime) -> list[PastMock]:
        """What was known by then about how far this learner gets."""
        return [mock for known, mock in self.mocks if known <= moment]

    def met_until(self, moment: dt.datetime) -> frozenset[int]:
        """The units that a finished or discarded session, or a question page, had displayed by then."""
        return frozenset(unit for known, unit in self.met if known <= moment)


def days_of(moment: dt.datetime) -> float:
    """A time in days, as the learner model counts them."""
    return (moment - EPOCH) / dt.timedelta(days=1)


def past_of(learner_id: int, exam_id: int) -> Past:
    """The history as known today, in one query; an unfinished session isn't known yet."""
    rows = [Row(*row) for row in _stored(learner_id, exam_id)]
    kept = [row for row in rows if row.discarded is None]
    mocks = list(_mocks(kept))
    return Past(
        answers=_answers(kept, {first.session: said for first, said in mocks}),
        mocks=[
            (_known(first), PastMock(said.reached / said.total, float(first.factor) or None))
            for first, said in sorted(mocks, key=lambda mock: _known(mock[0]))
            if not said.abandoned
        ],
        abandoned=frozenset(first.session for first, said in mocks if said.abandoned),
        met=sorted((row.known, row.unit) for row in rows if row.displayed and row.known),
    )


@composed_once
def _stored(learner_id: int, exam_id: int) -> QuerySet[SessionItem, Any]:
    items = SessionItem.objects.filter(
        Q(session__finished_at__isnull=False) | Q(session__discarded_at__isnull=False) | Q(session__mode=Mode.PAGE),
        session__learner_id=learner_id,
        session__exam_id=exam_id,
    )
    items = items.annotate(evidence=Case(When(granted=False, then="is_correct")))
    return items.order_by("session", "position").values_list(*COLUMNS)


def _mocks(rows: Iterable[Row]) -> Iterator[tuple[Row, Blanks]]:
    """For each mock, its first row and what its blanks say; ``rows`` are grouped by session."""
    for _, group in groupby((row for row in rows if row.mode == Mode.MOCK), attrgetter("session")):
        among = list(group)
        first = among[0]
        allowed = 60.0 * (first.minutes or 0) * float(first.factor) or None
        last = max((row.answered for row in among if row.answered), default=first.started)
        stood = first.paused + first.given + first.closed
        worked = max(0.0, (last - first.started).total_seconds() - stood)
        places = [Place(row.position, row.answered is not None, row.seconds) for row in among]
        yield first, blanks(places, Clock(worked, allowed, first.ended == Ended.TIME))


def _answers(rows: Sequence[Row], mocks: Mapping[int, Blanks]) -> list[PastAnswer]:
    """Marked answers, and the misses without one; none of basic questions, which are no evidence."""
    met = _meetings(rows)
    found = []
    for row in rows:
        if row.basic:
            continue
        at = row.answered if row.right is not None else None
        first = bool(row.first)
        if at is None and _is_miss(row, mocks):
            at = row.checked or _known(row)
            first = _is_first(met[-row.question], row, at)
            at = at if first else None
        if at is not None:
            since = _since(met.get(row.family or 0, ()), _known(row), row.question, at)
            answer = PastAnswer(_known(row), row.version, row.question, row.domain, bool(row.right), first, since)
            found.append((_known(row), at, row.session, row.position, answer))
    return [answer for *_, answer in sorted(found, key=itemgetter(0, 1, 2, 3))]


def _is_miss(row: Row, mocks: Mapping[int, Blanks]) -> bool:
    """Omitted in a mock, which scores it as wrong, or its solution was opened instead of answering."""
    if row.answered is not None:
        return False
    if row.session in mocks:
        return row.right is False and row.position in mocks[row.session].omitted
    return row.revealed and not row.hint and row.mode != Mode.CONTRAST


def _known(row: Row) -> dt.datetime:
    if row.known is None:
        raise ValueError("the session is open")
    return row.known


def _meetings(rows: Iterable[Row]) -> dict[int, list[Meeting]]:
    """When each question was seen, and since when that has been known: by family if it was displayed, and by question
    (negative ids) if its solution was, with or without an answer."""
    met: dict[int, list[Meeting]] = defaultdict(list)
    for row in rows:
        known = _known(row)
        meeting = (row.answered or row.checked or known, known, row.question)
        if row.family is not None and (row.answered or row.displayed):
            met[row.family].append(meeting)
        if row.answered or row.checked or (row.displayed and row.mode == Mode.MOCK):
            met[-row.question].append(meeting)
    return met


def _is_first(met: Iterable[Meeting], row: Row, at: dt.datetime) -> bool:
    """Whether nothing known by then had shown the question before; a miss without an answer has no flag for this."""
    return not any(moment < at and known <= _known(row) for moment, known, _ in met)


def _since(met: Iterable[Meeting], known_at: dt.datetime, question: int, at: dt.datetime) -> float | None:
    """Days since another question of the family was last seen, as known when this answer was; None if never.

    What only became known later is left out: forecasts meanwhile didn't include it, and a rebuild must give the same.
    """
    before = [moment for moment, known, other in met if other != question and moment < at and known <= known_at]
    return days_of(at) - days_of(max(before)) if before else None
