"""Why answers were missed: the reason of one, set or suggested, and how often each reason came up in an exam."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q
from django.db.models.functions import Coalesce

from practice.learners.models import Learner
from practice.measurement.ability.reads import latest_seconds
from practice.notebook.rules import Trace, suggest, usual_seconds
from practice.sessions.models import UNLISTED, MissClass, PracticeSession, SessionItem
from practice.sessions.reads.marked import marked_items, missed_for
from practice.sessions.scoring.reads import Key, keys_in_force
from practice.start.reads.drills import DrillChoice, fitting
from questions.catalogue.models import Exam

LATEST = 200
AT_ONCE = 20


@dataclass(frozen=True)
class MissChoice:
    value: str
    name: str
    is_set: bool
    is_suggested: bool


@dataclass(frozen=True)
class MissRow:
    """A reason over the latest misses: how often the learner said it, how often it is suggested where nothing was said.

    ``waiting`` are the questions said to be missed for it and not put right since; a drill takes the first of them.
    """

    value: str
    name: str
    said: int
    suggested: int
    waiting: int

    @property
    def told(self) -> int:
        """Said and suggested together."""
        return self.said + self.suggested

    @property
    def drill_size(self) -> int:
        return min(self.waiting, AT_ONCE)


@dataclass(frozen=True)
class MissTable:
    """A row for each reason, in a fixed order. ``total`` misses were looked at, the latest ones."""

    rows: list[MissRow]
    total: int

    @property
    def unsaid(self) -> int:
        """Misses the learner gave no reason for."""
        return self.total - sum(row.said for row in self.rows)


def misses_of(session: PracticeSession, positions: Sequence[int]) -> dict[int, list[MissChoice]]:
    """The reasons to choose from for each missed item among these, in at most three statements; none for any other."""
    missed = list(session.items.filter(position__in=positions, is_correct=False))
    if not missed:
        return {}
    keys, usual = _keys_where_changed(missed), _usual(session.learner_id, session.exam_id)
    return {
        item.position: _choices(item.miss_class, suggest(trace_of(session, item, keys.get(item.version_id), usual)))
        for item in missed
    }


def _choices(said: str, suggested: str) -> list[MissChoice]:
    return [
        MissChoice(value, name, value == said, not said and value == suggested) for value, name in MissClass.choices
    ]


def miss_table(learner: Learner, exam: Exam) -> MissTable:
    """The latest misses of an exam by reason, in at most four statements."""
    usual = _usual(learner.pk, exam.pk)
    said: Counter[str] = Counter()
    suggested: Counter[str] = Counter()
    items = _latest_misses(learner, exam)
    keys = _keys_where_changed(items)
    for item in items:
        if item.miss_class:
            said[item.miss_class] += 1
        else:
            suggested[suggest(trace_of(item.session, item, keys.get(item.version_id), usual))] += 1
    waiting = _waiting(learner, exam)
    rows = [MissRow(value, name, said[value], suggested[value], waiting[value]) for value, name in MissClass.choices]
    return MissTable(rows, len(items))


def trace_of(session: PracticeSession, item: SessionItem, key: Key | None, usual: float | None) -> Trace:
    """What was recorded of a missed item; the key is needed where its answer was changed."""
    ended = item.answered_at or session.finished_at
    return Trace(
        is_unanswered=not item.selected,
        first_was_right=bool(key and key.mark(item.first_selected)),
        seconds=item.seconds,
        time_left=(session.deadline - ended).total_seconds() if session.deadline and ended else None,
        usual=usual,
    )


def _keys_where_changed(missed: Iterable[SessionItem]) -> dict[int, Key]:
    """What was chosen first and kept was as wrong as the answer; only of others the key has to be asked."""
    return keys_in_force(item.version_id for item in missed if item.first_selected != item.selected)


def _usual(learner_id: int, exam_id: int) -> float | None:
    return usual_seconds(latest_seconds(learner_id, exam_id))


def _latest_misses(learner: Learner, exam: Exam) -> list[SessionItem]:
    """Newest first. Single answers, on question pages and to contrasts, are not: nothing was measured."""
    items = marked_items(learner).filter(session__exam=exam, is_correct=False).exclude(session__mode__in=UNLISTED)
    items = items.select_related("session").only(
        "version", "selected", "first_selected", "seconds", "answered_at", "miss_class",
        "session__deadline", "session__finished_at",
    )  # fmt: skip
    at = Coalesce("answered_at", "session__finished_at")
    return list(items.order_by(at.desc(), F("session_id").desc(), "position")[:LATEST])


def _waiting(learner: Learner, exam: Exam) -> dict[str, int]:
    """By reason, the units a drill of it could take one question of; in one statement."""
    counts = {
        value: Count("unit", distinct=True, filter=Q(question_id__in=missed_for(learner, value)))
        for value in MissClass.values
    }
    return fitting(learner, exam, DrillChoice()).aggregate(**counts)
