"""Why answers were missed: each one's reason, given or suggested, and how often each reason occurred in an exam."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from courseiva.common.quick.statements import composed_once
from practice.notebook.rules import Trace, suggest, usual_seconds
from practice.sessions.models import MissClass, PracticeSession, SessionItem
from practice.sessions.reads.tally.reads import kept_tally, latest_paces
from practice.sessions.reads.tally.rules import Row, by_reason, misses, paces
from practice.sessions.scoring.reads import Key, keys_in_force

LATEST = 200
"""The latest show why somebody misses questions now; those from the first weeks would hide a change."""
AT_ONCE = 20
"""A drill as long as a planned one (``BLOCK`` in readiness/rules.py): questions beyond it wait for the next."""


@dataclass(frozen=True)
class MissChoice:
    value: str
    name: str
    is_set: bool
    is_suggested: bool


@dataclass(frozen=True)
class MissRow:
    """A reason across the latest misses: how often the learner gave it, and how often it is suggested where none was
    given.

    ``waiting`` are the questions missed for this reason and not answered right since; a drill takes the first of them.
    """

    value: str
    name: str
    said: int
    suggested: int
    waiting: int

    @property
    def told(self) -> int:
        """Given and suggested together."""
        return self.said + self.suggested

    @property
    def drill_size(self) -> int:
        return min(self.waiting, AT_ONCE)


@dataclass(frozen=True)
class MissTable:
    """A row for each reason, in a fixed order. ``total`` is the number of latest misses considered."""

    rows: list[MissRow]
    total: int

    @property
    def unsaid(self) -> int:
        """Misses the learner gave no reason for."""
        return self.total - sum(row.said for row in self.rows)


def misses_of(session: PracticeSession, positions: Sequence[int]) -> dict[int, list[MissChoice]]:
    """The reasons to choose from for each missed item among these, in at most three statements; none for any other."""
    missed = _missed(session.pk, session.learner_id, session.exam_id, positions)
    if not missed:
        return {}
    keys, measured = _keys_where_changed(missed), latest_paces(session.learner_id, session.exam_id, missed[0].kept)
    usual = usual_seconds([seconds for seconds, _ in measured])
    return {
        item.position: _choices(item.miss_class, suggest(trace_of(session, item, keys.get(item.version_id), usual)))
        for item in missed
    }


@composed_once
def _missed(session: int, learner: int, exam: int, positions: Collection[int]) -> QuerySet[Any]:
    """The missed items, each with its learner's stored tally."""
    rows = SessionItem.objects.filter(session=session, position__in=positions, is_correct=False).order_by()
    return rows.annotate(kept=kept_tally(learner, exam))


def _choices(said: str, suggested: str) -> list[MissChoice]:
    return [
        MissChoice(value, name, value == said, not said and value == suggested) for value, name in MissClass.choices
    ]


@dataclass(frozen=True)
class MissCount:
    """The latest misses in an exam by reason, given or suggested; ``questions`` were missed for a given reason and not
    answered right since."""

    said: Mapping[str, int]
    suggested: Mapping[str, int]
    total: int
    questions: Mapping[str, frozenset[int]]

    def table(self, waiting: Mapping[str, int]) -> MissTable:
        """The table; ``waiting`` says, by reason, how many units a drill could draw from."""
        rows = [
            MissRow(
                value=value,
                name=name,
                said=self.said.get(value, 0),
                suggested=self.suggested.get(value, 0),
                waiting=waiting.get(value, 0),
            )
            for value, name in MissClass.choices
        ]
        return MissTable(rows, self.total)

    def pack(self) -> str:
        """The form in which it is stored with the standing."""
        questions = {reason: sorted(each) for reason, each in self.questions.items()}
        return json.dumps([self.said, self.suggested, self.total, questions], separators=(",", ":"), sort_keys=True)


def unpack(text: str) -> MissCount:
    """The inverse of ``pack``."""
    said, suggested, total, questions = json.loads(text)
    return MissCount(said, suggested, total, {reason: frozenset(each) for reason, each in questions.items()})


def count_misses(rows: Sequence[Row]) -> MissCount:
    """Count over all of a learner's items in an exam. Makes one query, and only if an answer was changed.

    Single answers, on question pages and to contrasts, are left out: nothing was measured for them.
    """
    usual = usual_seconds([seconds for seconds, _ in paces(rows)])
    latest = misses(rows, LATEST)
    keys = keys_in_force(row.version for row in latest if row.first_selected != row.selected)
    said: Counter[str] = Counter(row.miss_class for row in latest if row.miss_class)
    suggested = Counter(suggest(_trace(row, keys.get(row.version), usual)) for row in latest if not row.miss_class)
    return MissCount(said, suggested, len(latest), by_reason(rows))


def _trace(row: Row, key: Key | None, usual: float | None) -> Trace:
    return _traced((row.selected, row.first_selected), row.seconds, row.deadline, row.at, key, usual)


def trace_of(session: PracticeSession, item: SessionItem, key: Key | None, usual: float | None) -> Trace:
    """What was recorded about a missed item; the key is needed if its answer was changed."""
    selections = item.selected, item.first_selected
    return _traced(selections, item.seconds, session.deadline, item.answered_at or session.finished_at, key, usual)


def _traced(
    selections: tuple[int, int],
    seconds: int,
    deadline: dt.datetime | None,
    ended: dt.datetime | None,
    key: Key | None,
    usual: float | None,
) -> Trace:
    last, first = selections
    return Trace(
        is_unanswered=not last,
        first_was_right=bool(key and key.mark(first)),
        seconds=seconds,
        time_left=(deadline - ended).total_seconds() if deadline and ended else None,
        usual=usual,
    )


def _keys_where_changed(missed: Iterable[SessionItem]) -> dict[int, Key]:
    """If the first choice was kept, it was as wrong as the answer; the key is only needed for the others."""
    return keys_in_force(item.version_id for item in missed if item.first_selected != item.selected)
