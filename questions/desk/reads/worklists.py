"""What is waiting at the editors' desk: each list as a condition, which the question list also filters by."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Q

from questions.catalogue.models import Objective
from questions.desk.models import BulkChange, ChangeState
from questions.desk.reads.editor import PUBLISH
from questions.reports.models import ContentReport, ReportState
from questions.versions.material.sources.models import SourceCheck
from questions.versions.material.sources.reads import dead_checks
from questions.versions.models.drafts import Desk, Question
from questions.versions.reads.objectives import is_under
from questions.versions.statistics.health.rules import AT_MOST
from questions.versions.statistics.reads.alarms import Alarm, health_alarms, miskeyed

REVIEW, DRAFTS, SENT_BACK, RECHECK, WITHDRAWN = "review", "drafts", "sent_back", "recheck", "withdrawn"
ALARMS = MISKEYS, HEALTH = "miskeys", "health"
FIGURES = "questions.view_versionstatistics"
NEEDS = {REVIEW: PUBLISH, **dict.fromkeys(ALARMS, FIGURES)}
BY_CHANCE = sum(AT_MOST.values())
"""The largest share of sound questions that may raise a false alarm, over all health figures together."""
MOST_LINES = 5
"""Each list has its count and a link to all of it; the home should fit a screen or two with every list on it."""
LEAST_OF_OBJECTIVE = 8
"""Our own banks' target per objective (``targets`` in exam.yaml), so that drilling one doesn't repeat questions."""
SHORT, KEPT_SECONDS = "desk-short-objectives", 300
"""This and the alarms read the whole bank, too slow for every view; neither changes by the minute."""


@dataclass(frozen=True)
class Line:
    """A question in a list; ``called``: which of its health figures stand out, in that list."""

    question: Question
    called: Sequence[str] = ()


@dataclass(frozen=True)
class WorkList:
    """A list on the desk's home: the number of questions waiting, and the first of them.

    Those waiting longest come first; for alarms, those with the strongest evidence.
    """

    name: str
    count: int
    first: Sequence[Line]

    @property
    def is_alarm(self) -> bool:
        """Whether to look first at the question's figures, not its text."""
        return self.name in ALARMS


@dataclass(frozen=True)
class ShortObjective:
    """An objective of a current exam guide with too few questions."""

    objective: Objective
    count: int


@dataclass(frozen=True)
class DeskHome:
    """Everything that is waiting, in a constant number of queries."""

    lists: Sequence[WorkList]
    together: Sequence[BulkChange]
    reports: int
    first_reports: Sequence[ContentReport]
    dead: Sequence[SourceCheck]
    short: Sequence[ShortObjective]

    @property
    def first_dead(self) -> Sequence[SourceCheck]:
        """The sources that have been dead longest."""
        return self.dead[:MOST_LINES]

    @property
    def first_short(self) -> Sequence[ShortObjective]:
        """The objectives with the fewest questions."""
        return self.short[:MOST_LINES]


def lists_of(user: Any) -> list[str]:
    """The names of this person's lists, most urgent first."""
    names = [REVIEW, SENT_BACK, DRAFTS, WITHDRAWN, MISKEYS, HEALTH, RECHECK]
    return [name for name in names if name not in NEEDS or user.has_perm(NEEDS[name])]


def waiting(name: str, user: Any, today: dt.date) -> Q:
    """Which questions are on the list with this name, for this person."""
    if name == REVIEW:
        return Q(desk=Desk.REVIEW) & _not_written_by(user)
    if name in (DRAFTS, SENT_BACK):
        state = Desk.DRAFT if name == DRAFTS else Desk.SENT_BACK
        return Q(desk=state, pk__in=_written_by(user).values("pk"))
    if name == WITHDRAWN:
        return Q(withdrawn_at__isnull=False, retired_at=None)
    if name in ALARMS:
        return Q(pk__in=[alarm.question_id for alarm in alarms(name)])
    return Q(recheck_after__lte=today, retired_at=None)


def desk_home(user: Any, today: dt.date) -> DeskHome:
    """What is waiting for this person, and for all editors."""
    reports = ContentReport.objects.filter(state=ReportState.OPEN)
    changes = BulkChange.objects.filter(state=ChangeState.WAITING).order_by("made_at", "pk")
    return DeskHome(
        lists=[_work_list(name, user, today) for name in lists_of(user)],
        together=list(changes.select_related("made_by").annotate(size=Count("questions"))),
        reports=reports.count(),
        first_reports=list(reports.select_related("version__question__exam").order_by("made_at", "pk")[:MOST_LINES]),
        dead=list(dead_checks()),
        short=cache.get_or_set(SHORT, short_objectives, KEPT_SECONDS) or [],
    )


def alarms(name: str) -> list[Alarm]:
    """Questions whose answers raise an alarm, strongest evidence first; cached, so that count and list agree.

    The figure names are those of a question's health; a possible miskey has none.
    """
    if name == MISKEYS:
        return [Alarm(pk, ()) for pk in cache.get_or_set(f"desk-{name}", miskeyed, KEPT_SECONDS) or []]
    return cache.get_or_set(f"desk-{name}", health_alarms, KEPT_SECONDS) or []


def short_objectives() -> list[ShortObjective]:
    """The objectives of all current guides with too few usable questions, the fewest first; two queries."""
    usable = Question.objects.filter(live_version__is_basic=False, withdrawn_at=None, retired_at=None).order_by()
    counted: Counter[tuple[int, tuple[str, ...]]] = Counter()
    # Grouped by the whole list: a bank has few distinct ones, however many questions.
    for exam, numbers, count in usable.values_list("exam", "objectives").annotate(n=Count("pk")):
        counted[exam, tuple(numbers)] += count
    rows = Objective.objects.filter(blueprint__is_current=True, parent=None)
    found = []
    for objective in rows.select_related("blueprint__exam").order_by("blueprint", "place"):
        exam = objective.blueprint.exam_id
        asked = sum(n for (of, numbers), n in counted.items() if of == exam and _names(numbers, objective.number))
        if asked < LEAST_OF_OBJECTIVE:
            found.append(ShortObjective(objective, asked))
    return sorted(found, key=lambda each: each.count)


def _names(numbers: Sequence[str], number: str) -> bool:
    return any(is_under(each, number) for each in numbers)


def _work_list(name: str, user: Any, today: dt.date) -> WorkList:
    if name in ALARMS:
        return _alarmed(name)
    rows = Question.objects.filter(waiting(name, user, today))
    oldest = "recheck_after" if name == RECHECK else "withdrawn_at" if name == WITHDRAWN else "changed_at"
    return WorkList(name, rows.count(), [Line(row) for row in _lines(rows).order_by(oldest, "pk")[:MOST_LINES]])


def _alarmed(name: str) -> WorkList:
    found = alarms(name)
    rows = _lines(Question.objects).in_bulk([alarm.question_id for alarm in found[:MOST_LINES]])
    first = [Line(rows[each.question_id], each.called) for each in found[:MOST_LINES] if each.question_id in rows]
    return WorkList(name, len(found), first)


def _lines(rows: Any) -> Any:
    return rows.select_related("exam").only("exam", "number", "title", "key", "changed_at", "recheck_after")


def _written_by(user: Any) -> Any:
    return Question.objects.filter(authors=user.pk)


def _not_written_by(user: Any) -> Q:
    """Anyone who edited one question of a family edited what it shares."""
    if settings.PUBLISH_OWN_QUESTIONS:
        return Q()
    families = _written_by(user).exclude(family=None).values("family")
    return ~Q(pk__in=_written_by(user).values("pk")) & ~Q(family__in=families)
