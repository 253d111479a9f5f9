"""The practice hub: presets with their time, and unfinished sessions."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from practice.learners.models import Learner
from practice.readiness.reads.steps import Situation, Step, first_step, next_step, situation
from practice.readiness.rules import DEFAULT_SECONDS, REVIEW, minutes_for
from practice.sessions.models import DRILLS, Mode
from practice.sessions.reads.history import OpenSession
from practice.start.reads.reviews import DueToday
from practice.start.rules import Order, State
from questions.catalogue.models import Blueprint, BlueprintDomain


@dataclass(frozen=True)
class Preset:
    """A ready-made drill. The key is due, short, long, timed or missed."""

    key: str
    count: int
    minutes: int
    fields: tuple[tuple[str, str], ...]

    @property
    def minutes_each(self) -> str:
        """Minutes per question of a timed drill."""
        return dict(self.fields).get("minutes", "")


@dataclass(frozen=True)
class HubPage:
    """What the hub shows. An unfinished drill or review comes before the recommended step."""

    step: Step
    presets: list[Preset]
    drill: OpenSession | None
    mock: OpenSession | None
    due: DueToday
    is_guest: bool
    found: Situation | None = None


def hub_page(
    guide: list[BlueprintDomain], learner: Learner | None, now: dt.datetime, *, with_past: bool = False
) -> HubPage:
    """The hub of an exam, by the domains of its current guide, in a constant number of queries."""
    blueprint, exam = guide[0].blueprint, guide[0].blueprint.exam
    if learner is None:
        ready_made = presets(blueprint, DEFAULT_SECONDS, 0, 0)
        return HubPage(first_step(exam), ready_made, None, None, DueToday(0, 0, 0), is_guest=True)
    found = situation(guide, learner, now, with_past=with_past)
    sessions = [each.as_open(now) for each in found.now.open if each.session.exam_id == exam.pk]
    drill = next((s for s in sessions if s.session.mode in DRILLS and not s.is_over), None)
    step = next_step(exam, found)
    is_shown = step.advice.kind == REVIEW or (drill is not None and drill.session.mode == Mode.REVIEW)
    return HubPage(
        step=step,
        presets=presets(blueprint, found.facts.seconds, _missed(found), 0 if is_shown else found.due.count),
        drill=drill,
        mock=next((s for s in sessions if s.session.mode == Mode.MOCK), None),
        due=found.due,
        is_guest=learner.user_id is None,
        found=found,
    )


def _missed(found: Situation) -> int:
    """The units from which a drill of missed questions could draw."""
    tally = found.now.tally
    return len(found.bank.drillable(tally.missed, tally.shown, found.now.locked))


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
    return Preset(key, count, minutes_for(count, seconds), (("size", str(count)), *fields.items()))
