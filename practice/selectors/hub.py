"""The practice hub: presets with their time, and what is open."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from practice.drills import missed_questions
from practice.models import Learner, Mode, PracticeSession, SessionItem
from practice.selectors.history import own_sessions
from questions.models import Exam

DEFAULT_SECONDS = 110
PACE_ANSWERS = 200
READING_FROM = 30


@dataclass(frozen=True)
class Preset:
    """A drill with nothing to set up."""

    key: str
    name: str
    detail: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class HubPage:
    """What the hub shows. ``presets`` holds the recommended one first."""

    presets: list[Preset]
    open: list[PracticeSession]
    missed: int
    answered: int


def hub_page(exam: Exam, learner: Learner | None) -> HubPage:
    """The hub in a constant number of statements."""
    answered = missed = 0
    if learner:
        mine = SessionItem.objects.filter(session__learner=learner, session__exam=exam, answered_at__isnull=False)
        answered = mine.exclude(session__mode=Mode.PAGE).count()
        missed = missed_questions(learner).filter(session__exam=exam).count()
    seconds = pace(exam, learner)
    return HubPage(
        presets=presets(exam, seconds, missed, answered),
        open=[s for s in own_sessions(learner) if s.exam_id == exam.pk] if learner else [],
        missed=missed,
        answered=answered,
    )


def pace(exam: Exam, learner: Learner | None) -> int:
    """The median seconds of the learner's latest answers; a usual value for whoever has none."""
    if learner is None:
        return DEFAULT_SECONDS
    mine = SessionItem.objects.filter(session__learner=learner, session__exam=exam, seconds__gt=0)
    latest = list(mine.order_by("-answered_at").values_list("seconds", flat=True)[:PACE_ANSWERS])
    return round(statistics.median(latest)) if latest else DEFAULT_SECONDS


def presets(exam: Exam, seconds: int, missed: int, answered: int) -> list[Preset]:
    """Named by count and time."""
    blueprint = exam.blueprints.get(is_current=True)
    exam_pace = blueprint.minutes / blueprint.question_count
    found = []
    if answered < READING_FROM:
        found.append(_preset("start", "Find out where you stand", 30, seconds, order="unseen", feedback="end"))
    found += [
        _preset("short", "Short", 5, seconds, order="unseen"),
        _preset("long", "Long", 30, seconds, order="unseen"),
        _preset("timed", "At exam pace", 20, exam_pace * 60, order="unseen", minutes=f"{exam_pace:g}", feedback="end"),
    ]
    if missed:
        count = min(missed, 20)
        found.append(_preset("missed", "Redo what you missed", count, seconds, order="missed"))
    return found


def _preset(key: str, name: str, count: int, seconds: float, **fields: str) -> Preset:
    minutes = max(1, round(count * seconds / 60))
    detail = f"{count} question{'' if count == 1 else 's'}, about {minutes} minute{'' if minutes == 1 else 's'}"
    return Preset(key, name, detail, (("size", str(count)), *fields.items()))
