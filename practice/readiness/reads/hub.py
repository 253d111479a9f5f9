"""The practice hub: presets with their time, and what is open."""

from __future__ import annotations

import datetime as dt
import statistics
from dataclasses import dataclass

from practice.learners.models import Learner
from practice.measurement.ability.reads import latest_seconds
from practice.readiness.reads.progress import PACE_LEAST
from practice.readiness.reads.steps import Situation, Step, first_step, next_step, situation
from practice.sessions.models import DRILLS, Mode
from practice.sessions.reads.history import OpenSession, open_sessions
from practice.sessions.reads.marked import missed_questions
from practice.start.reads.drills import DrillChoice, fitting
from practice.start.reads.reviews import DueToday
from practice.start.rules import Order, State
from questions.catalogue.models import Blueprint, Exam

DEFAULT_SECONDS = 110


@dataclass(frozen=True)
class Preset:
    """A drill with nothing to set up. The key is due, short, long, timed or missed."""

    key: str
    count: int
    minutes: int
    fields: tuple[tuple[str, str], ...]

    @property
    def minutes_each(self) -> str:
        """Of a timed drill, the minutes a question."""
        return dict(self.fields).get("minutes", "")


@dataclass(frozen=True)
class HubPage:
    """What the hub shows. An open drill or review comes before the recommended step."""

    step: Step
    presets: list[Preset]
    drill: OpenSession | None
    mock: OpenSession | None
    due: DueToday
    is_guest: bool
    found: Situation | None = None


def hub_page(exam: Exam, learner: Learner | None, now: dt.datetime) -> HubPage:
    """The hub in a constant number of statements."""
    blueprint, seconds = exam.blueprints.get(is_current=True), pace(exam, learner)
    if learner is None:
        return HubPage(
            first_step(exam, seconds), presets(blueprint, seconds, 0, 0), None, None, DueToday(0, 0, 0), True
        )
    found = situation(exam, blueprint, learner, now)
    missed = fitting(learner, exam, DrillChoice()).filter(question_id__in=missed_questions(learner))
    sessions = [s for s in open_sessions(learner, now) if s.session.exam_id == exam.pk]
    drill = next((s for s in sessions if s.session.mode in DRILLS and not s.is_over), None)
    step = next_step(exam, found, seconds)
    is_shown = step.advice.kind == "review" or (drill is not None and drill.session.mode == Mode.REVIEW)
    return HubPage(
        step=step,
        presets=presets(
            blueprint, seconds, missed.values("unit").distinct().count(), 0 if is_shown else found.due.count
        ),
        drill=drill,
        mock=next((s for s in sessions if s.session.mode == Mode.MOCK), None),
        due=found.due,
        is_guest=learner.user_id is None,
        found=found,
    )


def pace(exam: Exam, learner: Learner | None) -> int:
    """The seconds a question is planned with: the learner's own, or a usual value until they are known."""
    return (own_pace(exam, learner) if learner else None) or DEFAULT_SECONDS


def own_pace(exam: Exam, learner: Learner) -> int | None:
    """The median seconds of the learner's latest answers; None below PACE_LEAST of them."""
    latest = latest_seconds(learner.pk, exam.pk)
    return round(statistics.median(latest)) if len(latest) >= PACE_LEAST else None


def presets(blueprint: Blueprint, seconds: int, missed: int, due: int) -> list[Preset]:
    """Ready-made drills, named by count and time."""
    each = blueprint.minutes / blueprint.question_count
    found = []
    if due:
        found.append(_preset("due", due, seconds, state=State.DUE, confidence="on"))
    found.append(_preset("short", 5, seconds, order=Order.UNSEEN))
    found.append(_preset("long", 30, seconds, order=Order.UNSEEN))
    timed = {"order": Order.UNSEEN, "minutes": f"{each:g}", "feedback": "end"}
    found.append(_preset("timed", 20, each * 60, **timed))
    if missed:
        found.append(_preset("missed", min(missed, 20), seconds, state=State.MISSED))
    return found


def _preset(key: str, count: int, seconds: float, **fields: str) -> Preset:
    return Preset(key, count, max(1, round(count * seconds / 60)), (("size", str(count)), *fields.items()))
