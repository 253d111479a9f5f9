"""A learner's plan: what it is based on, today's tasks with what starts each, and the following days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from practice.learners.models import ExamPlan, Learner
from practice.readiness.plan.rules import FARTHEST_DAYS, Day, Entry, Known, Section, plan_days, plan_today
from practice.readiness.reads.steps import Situation, Step, first_step, next_step, situation
from practice.readiness.rules import MEASURE, MOCK, PRACTISE, READ, REVIEW
from practice.start.rules import Order, State
from questions.catalogue.models import Blueprint, Exam
from questions.catalogue.reads import guide_of
from questions.modules.reads import Outline

NEAR_DAYS = 14
"""This many days are listed individually; later ones by week."""


@dataclass(frozen=True)
class Task:
    """One of today's entries with what starts it: a POST of ``fields``, or a link.

    ``is_step``: the recommended step.
    """

    entry: Entry
    address: str
    fields: tuple[tuple[str, str], ...] = ()
    is_posted: bool = False
    is_step: bool = False


@dataclass(frozen=True)
class Today:
    """What is left of today, and how many of its minutes are done."""

    day: Day
    tasks: list[Task]
    done: int
    limit: int


@dataclass(frozen=True)
class Week:
    """Days too far off to be listed individually. Counts of questions, and the days with a mock."""

    first: dt.date
    last: dt.date
    drilled: int
    reviews: int
    reading: int
    mocks: list[dt.date]


@dataclass(frozen=True)
class PlanPage:
    """The page. ``state`` is no-plan, no-date, no-minutes, over or planned."""

    exam: Exam
    blueprint: Blueprint
    plan: ExamPlan | None
    step: Step
    found: Situation | None
    today: Today | None
    days: list[Day]
    weeks: list[Week]
    zone: dt.tzinfo
    is_guest: bool

    @property
    def state(self) -> str:
        if self.plan is None or not (self.plan.exam_date or self.plan.minutes_a_day):
            return "no-plan"
        if self.plan.exam_date is None:
            return "no-date"
        if self.found and (self.found.facts.days_to_exam or 0) < 0:
            return "over"
        return "planned" if self.plan.minutes_a_day else "no-minutes"


def plan_page(exam: Exam, learner: Learner | None, now: dt.datetime) -> PlanPage:
    """The page, in a constant number of queries."""
    guide = guide_of(pk=exam.pk)
    blueprint = guide[0].blueprint
    if learner is None:
        step = first_step(exam)
        return PlanPage(exam, blueprint, None, step, None, None, [], [], dt.UTC, is_guest=True)
    found = situation(guide, learner, now)
    days = days_of(found)
    step = next_step(exam, found)
    coming = days[1:]
    return PlanPage(
        exam=exam,
        blueprint=blueprint,
        plan=found.plan,
        step=step,
        found=found,
        today=_today(exam, days[0], step, found) if days else None,
        days=coming[:NEAR_DAYS],
        weeks=_weeks(coming[NEAR_DAYS:]),
        zone=found.today.zone,
        is_guest=learner.user_id is None,
    )


def today_of(exam: Exam, found: Situation, step: Step) -> Today | None:
    """Just today's part, as shown on home and hub; None without a plan. No query."""
    day = plan_today(_known(found, ())) if found.facts.is_planned else None
    return _today(exam, day, step, found) if day else None


def days_of(found: Situation) -> list[Day]:
    """All days; empty without a plan."""
    date = found.plan.exam_date if found.plan else None
    if date is None or not found.facts.is_planned:
        return []
    coming = found.reviews.arriving(date, FARTHEST_DAYS)
    if coming:
        coming[0] += found.due.waiting
    return plan_days(_known(found, coming))


def _known(found: Situation, coming: Sequence[int]) -> Known:
    return Known(
        facts=found.facts,
        today=found.today.date,
        mock_count=found.blueprint.question_count,
        mock_minutes=found.blueprint.minutes,
        arriving=coming,
        sections=_unread(found),
    )


def _unread(found: Situation) -> list[Section]:
    """The sections not read yet, in module order."""
    keys = {row.domain_id: row.domain.key for row in found.domains}
    unread: list[Section] = []
    for module in found.bank.modules:
        if module.pk in found.kept.modules or module.domain_id not in keys:
            continue
        lines = [
            Section(keys[module.domain_id], module.number, anchor, title, minutes, _url(module, anchor))
            for anchor, title, minutes in module.sections
        ]
        # If all its sections are read and the module isn't, the remaining section was dropped in a new text, which
        # should be looked at.
        unread += [line for line in lines if (module.pk, line.anchor) not in found.kept.sections] or lines
    return unread


def _url(module: Outline, anchor: str) -> str:
    return f"{module.url}#{anchor}" if anchor else module.url


def _today(exam: Exam, day: Day, step: Step, found: Situation) -> Today:
    tasks = [_task(exam, entry, step, is_first=place == 0) for place, entry in enumerate(day.entries)]
    return Today(day, tasks, found.facts.minutes_today, found.facts.minutes_a_day or 0)


def _task(exam: Exam, entry: Entry, step: Step, *, is_first: bool) -> Task:
    if is_first:  # a non-empty day begins with the recommended step
        return Task(entry, step.address, step.fields, step.is_posted, is_step=True)
    if entry.kind == READ:
        return Task(entry, entry.sections[0].url)
    if entry.kind == MOCK:
        return Task(entry, reverse("mock", args=[exam.slug]))
    size = ("size", str(entry.count))
    fields: tuple[tuple[str, str], ...] = (size, ("state", State.DUE), ("confidence", "on"))
    if entry.kind != REVIEW and entry.domain:
        fields = (("domain", entry.domain.key), size, ("order", Order.UNSEEN))
    return Task(entry, reverse("drill", args=[exam.slug]), fields, is_posted=True)


def _weeks(days: list[Day]) -> list[Week]:
    """Seven days each, after the individually listed days."""
    return [_week(days[start : start + 7]) for start in range(0, len(days), 7)]


def _week(days: list[Day]) -> Week:
    entries = [entry for day in days for entry in day.entries]
    return Week(
        first=days[0].date,
        last=days[-1].date,
        drilled=sum(entry.count for entry in entries if entry.kind in {PRACTISE, MEASURE}),
        reviews=sum(entry.count for entry in entries if entry.kind == REVIEW),
        reading=sum(entry.minutes for entry in entries if entry.kind == READ),
        mocks=[day.date for day in days if any(entry.kind == MOCK for entry in day.entries)],
    )
