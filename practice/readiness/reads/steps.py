"""The one recommended step, which the hub, the home page and the progress page all show."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import Exists, FilteredRelation, Q, QuerySet
from django.urls import reverse

from courseiva.common.quick.statements import composed_once
from practice.learners.models import ExamPlan, Learner
from practice.measurement.ability.rules.pass_chance import Missing, missing
from practice.readiness.check.rules import MOST
from practice.readiness.models import Standing
from practice.readiness.reads.progress import own_pace
from practice.readiness.rules import (
    DEFAULT_SECONDS,
    MEASURE,
    MOCK,
    READ,
    REST,
    REVIEW,
    Advice,
    DomainFacts,
    Facts,
    advise,
    minutes_for,
)
from practice.reviews.reads import Today
from practice.sessions.reads.tally.reads import Current, current
from practice.sessions.reads.tally.rules import Tally
from practice.start.reads.bank import Bank, Coverage, bank_of
from practice.start.reads.kept import Kept, kept_of
from practice.start.reads.reviews import DueToday, Reviews
from practice.start.rules import Order, State
from questions.catalogue.models import Blueprint, BlueprintDomain, Exam, StudyModule
from questions.catalogue.rules.shares import allocate
from questions.versions.statistics.models import Calibration

RECENT_DAYS = 7
"""Recent answers in a domain delay its next turn for this long."""


@dataclass(frozen=True)
class Step:
    """What to do next, the facts behind it, and the button that starts it.

    ``facts`` is None for learners without answers, who get the check. ``fields`` are sent by POST, as is the check's
    start; anything else is a link.
    """

    advice: Advice
    facts: Facts | None = None
    count: int = 0
    minutes: int = 0
    module: StudyModule | None = None
    address: str = ""
    fields: tuple[tuple[str, str], ...] = ()

    @property
    def is_check(self) -> bool:
        """Whether it is the check, which asks as many questions as it needs, at most ``count``."""
        return self.advice.kind == MEASURE and not self.fields

    @property
    def is_posted(self) -> bool:
        """Whether its button sends a POST."""
        return bool(self.fields) or self.is_check


@dataclass(frozen=True)
class Situation:
    """Everything the step is based on, which the progress page shows as well.

    ``measured``: difficulties come from a calibration, not from editors' labels alone.
    """

    blueprint: Blueprint
    domains: list[BlueprintDomain]
    standing: Standing | None
    plan: ExamPlan | None
    now: Current
    bank: Bank
    kept: Kept
    reviews: Reviews
    covered: dict[int, Coverage]
    measured: bool
    facts: Facts = field(repr=False)

    @property
    def today(self) -> Today:
        """The current date in the learner's time zone."""
        return self.reviews.today

    @property
    def due(self) -> DueToday:
        """How many reviews are due today."""
        return self.reviews.due

    @property
    def unseen_mocks(self) -> int:
        """Mocks that can still be drawn from unseen questions."""
        return self.facts.unseen_mocks


def situation(
    guide: list[BlueprintDomain], learner: Learner, now: dt.datetime, *, with_past: bool = False
) -> Situation:
    """Where a learner is in an exam, by its current guide: in three queries, plus the bank's once a minute."""
    blueprint, exam = guide[0].blueprint, guide[0].blueprint.exam
    standing, plan, measured = _stands(learner, exam)
    kept_tally, as_of = (standing.tally, standing.as_of) if standing else ("", None)
    done = current(learner, exam.pk, kept_tally, as_of, now, with_past=with_past)
    today, bank = Today.of(learner, now), bank_of(exam)
    kept = kept_of(learner, exam, today, sections=plan is not None)
    reviews = Reviews(today, bank, done, kept, plan.exam_date if plan else None)
    covered = bank.coverage(done.tally.seen)
    by_domain = _domains(guide, standing, _unread_modules(bank, kept), _recent(done.tally, today))
    counts = allocate([(row.domain_id, row.weight) for row in guide], blueprint.question_count)
    lacking = missing({domain_id: domain.n for domain_id, domain in by_domain.items()}, counts)
    facts = replace(_facts(by_domain, lacking, reviews, standing, plan), unseen_mocks=unseen_mocks(counts, covered))
    return Situation(blueprint, guide, standing, plan, done, bank, kept, reviews, covered, measured, facts)


def _stands(learner: Learner, exam: Exam) -> tuple[Standing | None, ExamPlan | None, bool]:
    """What is said about a learner in an exam, their plan, and whether the exam is calibrated; in one statement."""
    (row,) = _with_stands(learner.pk, exam.pk)
    # If there is none, Django doesn't set the attribute.
    return getattr(row, "standing", None), getattr(row, "plan", None), row.measured


@composed_once
def _with_stands(learner: int, exam: int) -> QuerySet[Any]:
    rows = Learner.objects.annotate(
        standing=FilteredRelation("standings", condition=Q(standings__exam=exam)),
        plan=FilteredRelation("plans", condition=Q(plans__exam=exam)),
        measured=Exists(Calibration.objects.filter(exam=exam)),
    )
    return rows.select_related("standing", "plan").filter(pk=learner)  # type: ignore[misc]  # the relations named above


def _facts(
    domains: dict[int, DomainFacts],
    lacking: Missing | None,
    reviews: Reviews,
    standing: Standing | None,
    plan: ExamPlan | None,
) -> Facts:
    """All except the unseen mocks, which are counted separately."""
    today, tally = reviews.today, reviews.now.tally
    day, mock_at = tally.days.get(today.date), tally.mock_at
    return Facts(
        chance=standing.chance if standing else None,
        missing=lacking.answers if lacking else 0,
        lacking=_lacking(lacking, domains),
        domains=tuple(domains.values()),
        due=reviews.due.count,
        minutes_today=round(day.seconds / 60) if day else 0,
        minutes_a_day=plan.minutes_a_day if plan else None,
        days_to_exam=(plan.exam_date - today.date).days if plan and plan.exam_date else None,
        # By the learner's calendar, like everything else counted in days.
        days_since_mock=(today.date - mock_at.astimezone(today.zone).date()).days if mock_at else None,
        unseen_mocks=0,
        seconds=own_pace(tally) or DEFAULT_SECONDS,
        is_begun=standing is not None,
    )


def unseen_mocks(wanted: dict[int, int], found: dict[int, Coverage]) -> int:
    """How many mocks of this composition can still be drawn from unseen questions."""
    return min((found[d].fresh // count if d in found else 0 for d, count in wanted.items() if count), default=0)


def next_step(exam: Exam, found: Situation) -> Step:
    """The recommended step, with its size in questions and minutes."""
    advice, facts = advise(found.facts), found.facts
    if advice.kind == MEASURE and not advice.count:
        return first_step(exam, facts.seconds)
    if advice.kind == REST:
        return Step(advice, facts, address=reverse("builder", args=[exam.slug]))
    if advice.kind == MOCK:
        blueprint, address = found.blueprint, reverse("mock", args=[exam.slug])
        return Step(advice, facts, blueprint.question_count, blueprint.minutes, address=address)
    if advice.kind == READ and advice.domain:
        return _reading(exam, advice, facts, advice.domain)
    minutes, address = minutes_for(advice.count, facts.seconds), reverse("drill", args=[exam.slug])
    return Step(advice, facts, advice.count, minutes, address=address, fields=_fields(advice, facts))


def first_step(exam: Exam, seconds: int = DEFAULT_SECONDS) -> Step:
    """The step for a learner who hasn't answered anything yet."""
    return Step(
        Advice(MEASURE), None, MOST, minutes_for(MOST, seconds), address=reverse("start-check", args=[exam.slug])
    )


def _fields(advice: Advice, facts: Facts) -> tuple[tuple[str, str], ...]:
    """The fields of the drill that a step starts."""
    size = ("size", str(advice.count))
    if advice.kind == REVIEW:
        return size, ("state", State.DUE), ("confidence", "on")
    if advice.kind == MEASURE or advice.domain is None:
        among = tuple(("domain", domain.key) for domain in facts.lacking)
        return *among, size, ("state", State.UNSEEN), ("order", Order.GUIDE), ("feedback", "end")
    return ("domain", advice.domain.key), size, ("order", Order.UNSEEN)


def _reading(exam: Exam, advice: Advice, facts: Facts, domain: DomainFacts) -> Step:
    module = StudyModule.objects.lines().get(exam=exam, number=domain.module or 0)
    address = reverse("module", args=[exam.slug, module.number, module.slug])
    return Step(advice, facts, module=module, address=address)


def _unread_modules(bank: Bank, kept: Kept) -> dict[int, int]:
    """By domain id, the number of the first module not marked as read."""
    unread = [module for module in bank.modules if module.pk not in kept.modules]
    return {module.domain_id: module.number for module in sorted(unread, key=lambda each: -each.number)}


def _domains(
    domains: list[BlueprintDomain], standing: Standing | None, modules: dict[int, int], recent: dict[int, int]
) -> dict[int, DomainFacts]:
    said = {row["domain"]: row for row in standing.domains} if standing else {}
    return {
        row.domain_id: DomainFacts(
            key=row.domain.key,
            number=row.domain.number,
            name=row.name,
            n=int(said.get(row.domain_id, {}).get("n", 0)),
            share=said.get(row.domain_id, {}).get("share", 0.5),
            gain=said.get(row.domain_id, {}).get("gain", 0.0),
            module=modules.get(row.domain_id),
            recent=recent.get(row.domain_id, 0),
            weight=float(row.weight),
        )
        for row in domains
    }


def _lacking(missing: Missing | None, domains: dict[int, DomainFacts]) -> tuple[DomainFacts, ...]:
    """The domains to draw from; empty if it is all of them."""
    if missing is None or len(missing.domains) == len(domains):
        return ()
    return tuple(domains[domain] for domain in missing.domains)


def _recent(tally: Tally, today: Today) -> dict[int, int]:
    """By domain id, the answers of the last few days, without those in mocks."""
    since = today.date - dt.timedelta(days=RECENT_DAYS)
    found: Counter[int] = Counter()
    for date, day in tally.days.items():
        if date >= since:
            found.update(day.domains)
    return found
