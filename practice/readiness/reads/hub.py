"""The practice hub: presets with their time, and what is open."""

from __future__ import annotations

import datetime as dt
import statistics
from dataclasses import dataclass

from practice.learners.models import Learner
from practice.measurement.ability.reads import latest_seconds
from practice.readiness.reads.steps import Step, first_step, next_step, situation
from practice.sessions.models import Mode
from practice.sessions.reads.history import OpenSitting, open_sittings
from practice.sessions.reads.judged import missed_questions
from practice.start.reads.reviews import DueToday
from practice.start.rules import Order
from questions.catalogue.models import Blueprint, Exam

DEFAULT_SECONDS = 110
PACE_LEAST = 10
"""Fewer answers say little about a pace: one quick guess would promise thirty questions in a minute."""


@dataclass(frozen=True)
class Preset:
    """A drill with nothing to set up."""

    key: str
    name: str
    detail: str
    why: str
    fields: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class HubPage:
    """What the hub shows. An open drill or review comes before the recommended step."""

    step: Step
    presets: list[Preset]
    drill: OpenSitting | None
    mock: OpenSitting | None
    due: DueToday
    is_guest: bool


def hub_page(exam: Exam, learner: Learner | None, now: dt.datetime) -> HubPage:
    """The hub in a constant number of statements."""
    guide, seconds = exam.blueprints.get(is_current=True), pace(exam, learner)
    if learner is None:
        return HubPage(first_step(exam, seconds), presets(guide, seconds, 0, 0), None, None, DueToday(0, 0, 0), True)
    found = situation(exam, guide, learner, now)
    missed = missed_questions(learner).filter(session__exam=exam).count()
    sittings = [s for s in open_sittings(learner, now) if s.session.exam_id == exam.pk]
    drill = next((s for s in sittings if s.session.mode in (Mode.DRILL, Mode.REVIEW) and not s.is_over), None)
    step = next_step(exam, found, seconds)
    is_shown = step.kind == "review" or (drill is not None and drill.session.mode == Mode.REVIEW)
    return HubPage(
        step=step,
        presets=presets(guide, seconds, missed, 0 if is_shown else found.due.count),
        drill=drill,
        mock=next((s for s in sittings if s.session.mode == Mode.MOCK), None),
        due=found.due,
        is_guest=learner.user_id is None,
    )


def pace(exam: Exam, learner: Learner | None) -> int:
    """The seconds a question is planned with: the learner's own, or a usual value until they are known."""
    return (own_pace(exam, learner) if learner else None) or DEFAULT_SECONDS


def own_pace(exam: Exam, learner: Learner) -> int | None:
    """The median seconds of the learner's latest answers; None below PACE_LEAST of them."""
    latest = latest_seconds(learner.pk, exam.pk)
    return round(statistics.median(latest)) if len(latest) >= PACE_LEAST else None


def presets(guide: Blueprint, seconds: int, missed: int, due: int) -> list[Preset]:
    """Ready-made drills, named by count and time."""
    each = guide.minutes / guide.question_count
    found = []
    if due:
        why = "What you missed or guessed, on the day to see it again. Say how sure you are: a guess comes back sooner."
        found.append(_preset("due", "Due for review", why, due, seconds, order=Order.DUE, confidence="on"))
    why = "Unseen questions first, each judged at once."
    found.append(_preset("short", "Short", why, 5, seconds, order=Order.UNSEEN))
    found.append(_preset("long", "Long", why, 30, seconds, order=Order.UNSEEN))
    why = f"{each:g} minutes a question as in the exam, judged at the end."
    timed = {"order": Order.UNSEEN, "minutes": f"{each:g}", "feedback": "end"}
    found.append(_preset("timed", "At exam pace", why, 20, each * 60, **timed))
    if missed:
        why = "Questions whose latest answer of yours was wrong."
        found.append(_preset("missed", "Redo what you missed", why, min(missed, 20), seconds, order=Order.MISSED))
    return found


def _preset(key: str, name: str, why: str, count: int, seconds: float, **fields: str) -> Preset:
    minutes = max(1, round(count * seconds / 60))
    about = "" if "minutes" in fields else "about "
    detail = f"{count} question{'' if count == 1 else 's'}, {about}{minutes} minute{'' if minutes == 1 else 's'}"
    return Preset(key, name, detail, why, (("size", str(count)), *fields.items()))
