"""The practice hub: presets with their time, and what is open."""

from __future__ import annotations

import datetime as dt
import statistics
from dataclasses import dataclass

from practice.drills import missed_questions
from practice.models import Learner, Mode, SessionItem
from practice.selectors.history import OpenSitting, open_sittings
from questions.models import Blueprint, Exam

DEFAULT_SECONDS = 110
PACE_ANSWERS = 200
READING_FROM = 30


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
    """What the hub shows. An open drill is recommended before any preset."""

    recommended: Preset | None
    presets: list[Preset]
    drill: OpenSitting | None
    mock: OpenSitting | None
    is_guest: bool


def hub_page(exam: Exam, learner: Learner | None, now: dt.datetime) -> HubPage:
    """The hub in a constant number of statements."""
    answered = missed = 0
    sittings: list[OpenSitting] = []
    if learner:
        mine = SessionItem.objects.filter(session__learner=learner, session__exam=exam, answered_at__isnull=False)
        answered = mine.exclude(session__mode=Mode.PAGE).count()
        missed = missed_questions(learner).filter(session__exam=exam).count()
        sittings = [s for s in open_sittings(learner, now) if s.session.exam_id == exam.pk]
    found = presets(exam.blueprints.get(is_current=True), pace(exam, learner), missed, answered)
    drill = next((s for s in sittings if s.session.mode == Mode.DRILL and not s.is_over), None)
    return HubPage(
        recommended=None if drill else found[0],
        presets=found if drill else found[1:],
        drill=drill,
        mock=next((s for s in sittings if s.session.mode == Mode.MOCK), None),
        is_guest=learner is None or learner.user_id is None,
    )


def pace(exam: Exam, learner: Learner | None) -> int:
    """The median seconds of the learner's latest answers; a usual value for whoever has none."""
    if learner is None:
        return DEFAULT_SECONDS
    mine = SessionItem.objects.filter(session__learner=learner, session__exam=exam, seconds__gt=0)
    latest = list(mine.order_by("-answered_at").values_list("seconds", flat=True)[:PACE_ANSWERS])
    return round(statistics.median(latest)) if latest else DEFAULT_SECONDS


def presets(guide: Blueprint, seconds: int, missed: int, answered: int) -> list[Preset]:
    """Named by count and time, the recommended one first."""
    each = guide.minutes / guide.question_count
    found = []
    if answered < READING_FROM:
        why = "Questions you have not seen, shared over the sections as the exam does, judged at the end."
        found.append(_preset("start", "Find out where you stand", why, 30, seconds, order="guide", feedback="end"))
    why = "Unseen questions first, each judged at once."
    found.append(_preset("short", "Short", why, 5, seconds, order="unseen"))
    found.append(_preset("long", "Long", why, 30, seconds, order="unseen"))
    why = f"{each:g} minutes a question as in the exam, judged at the end."
    timed = {"order": "unseen", "minutes": f"{each:g}", "feedback": "end"}
    found.append(_preset("timed", "At exam pace", why, 20, each * 60, **timed))
    if missed:
        why = "Questions whose latest answer of yours was wrong."
        found.append(_preset("missed", "Redo what you missed", why, min(missed, 20), seconds, order="missed"))
    return found


def _preset(key: str, name: str, why: str, count: int, seconds: float, **fields: str) -> Preset:
    minutes = max(1, round(count * seconds / 60))
    about = "" if "minutes" in fields else "about "
    detail = f"{count} question{'' if count == 1 else 's'}, {about}{minutes} minute{'' if minutes == 1 else 's'}"
    return Preset(key, name, detail, why, (("size", str(count)), *fields.items()))
