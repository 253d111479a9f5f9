"""The one recommended step, which the hub, the home page and the progress page all show."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from django.db.models import Sum
from django.urls import reverse

from practice.learners.models import ExamPlan, Learner, ModuleRead
from practice.measurement.ability.rules.pass_chance import Missing, missing
from practice.readiness.check.rules import MOST
from practice.readiness.models import Standing
from practice.readiness.reads.progress import Coverage, coverage, unseen_mocks
from practice.readiness.rules import Advice, DomainFacts, Facts, advise
from practice.reviews.reads import Today
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.start.reads.picking import weights_of
from practice.start.reads.reviews import DueToday, due_today
from practice.start.rules import Order, State
from questions.catalogue.models import Blueprint, BlueprintDomain, Exam, StudyModule
from questions.catalogue.rules.shares import allocate

BLOCK = 20
SMALL_BLOCK = 5
MEASURE_MOST = 30


@dataclass(frozen=True)
class Step:
    """What to do next, what it rests on, and the button that starts it.

    ``facts`` is None for whoever has answered nothing yet, who gets the check. ``fields`` are sent by POST, as is the
    check's start; any other is a link.
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
        """It asks as many questions as it needs, ``count`` at most."""
        return self.advice.kind == "measure" and not self.fields

    @property
    def is_posted(self) -> bool:
        """Its button starts something."""
        return bool(self.fields) or self.is_check


@dataclass(frozen=True)
class Situation:
    """Everything the step rests on, which the progress page shows as well."""

    blueprint: Blueprint
    counts: dict[int, int]
    domains: list[BlueprintDomain]
    standing: Standing | None
    plan: ExamPlan | None
    today: Today
    due: DueToday
    covered: dict[int, Coverage]
    facts: Facts = field(repr=False)

    @property
    def unseen_mocks(self) -> int:
        """Mocks that can still be drawn from questions never shown."""
        return self.facts.unseen_mocks


def situation(exam: Exam, blueprint: Blueprint, learner: Learner, now: dt.datetime) -> Situation:
    """Where a learner is, in a constant number of statements."""
    counts = allocate(weights_of(blueprint), blueprint.question_count)
    domains = list(blueprint.domains.select_related("domain").order_by("domain__number"))
    standing = Standing.objects.filter(learner=learner, exam=exam).first()
    plan = ExamPlan.objects.filter(learner=learner, exam=exam).first()
    today, due = Today.of(learner, now), due_today(learner, exam, now)
    covered = coverage(learner, exam)
    by_domain = _domains(domains, standing, _unread_modules(exam, learner))
    lacking = missing({domain_id: domain.n for domain_id, domain in by_domain.items()}, counts)
    facts = Facts(
        chance=standing.chance if standing else None,
        missing=lacking.answers if lacking else 0,
        lacking=_lacking(lacking, by_domain),
        domains=tuple(by_domain.values()),
        due=due.count,
        minutes_today=round(_seconds_today(learner, exam, today) / 60),
        minutes_a_day=plan.minutes_a_day if plan else None,
        days_to_exam=(plan.exam_date - today.date).days if plan and plan.exam_date else None,
        days_since_mock=_days_since_mock(learner, exam, today),
        unseen_mocks=unseen_mocks(counts, covered),
    )
    return Situation(blueprint, counts, domains, standing, plan, today, due, covered, facts)


def next_step(exam: Exam, found: Situation, seconds_each: int) -> Step:
    """The recommended step, with its size in questions and minutes."""
    advice = advise(found.facts)
    if advice.kind == "measure" and not found.standing:
        return first_step(exam, seconds_each)
    if advice.kind == "rest":
        return Step(advice, found.facts, address=reverse("builder", args=[exam.slug]))
    if advice.kind == "mock":
        blueprint, address = found.blueprint, reverse("mock", args=[exam.slug])
        return Step(advice, found.facts, blueprint.question_count, blueprint.minutes, address=address)
    if advice.kind == "read" and advice.domain:
        return _reading(exam, advice, found.facts, advice.domain)
    return _drill(exam, advice, found.facts, seconds_each)


def first_step(exam: Exam, seconds_each: int) -> Step:
    """For whoever has not answered anything yet."""
    minutes = max(1, round(MOST * seconds_each / 60))
    return Step(Advice("measure"), None, MOST, minutes, address=reverse("start-check", args=[exam.slug]))


def _drill(exam: Exam, advice: Advice, facts: Facts, seconds_each: int) -> Step:
    fields: tuple[tuple[str, str], ...]
    if advice.kind == "review":
        fields = (("size", str(facts.due)), ("state", State.DUE), ("confidence", "on"))
        return _posted(exam, advice, facts, fields, seconds_each)
    if advice.kind == "measure" or advice.domain is None:
        size = min(max(facts.missing, 1), MEASURE_MOST)
        among = tuple(("domain", domain.key) for domain in facts.lacking)
        fields = (*among, ("size", str(size)), ("state", State.UNSEEN), ("order", Order.GUIDE), ("feedback", "end"))
        return _posted(exam, advice, facts, fields, seconds_each)
    fields = (("domain", advice.domain.key), ("size", str(_block(facts, seconds_each))), ("order", Order.UNSEEN))
    return _posted(exam, advice, facts, fields, seconds_each)


def _block(facts: Facts, seconds_each: int) -> int:
    """Twenty questions, or as many as today's minutes hold."""
    if facts.minutes_a_day is None:
        return BLOCK
    left = (facts.minutes_a_day - facts.minutes_today) * 60 // seconds_each
    return min(max(left, SMALL_BLOCK), BLOCK)


def _reading(exam: Exam, advice: Advice, facts: Facts, domain: DomainFacts) -> Step:
    module = StudyModule.objects.lines().get(exam=exam, number=domain.module or 0)
    address = reverse("module", args=[exam.slug, module.number, module.slug])
    return Step(advice, facts, module=module, address=address)


def _posted(
    exam: Exam, advice: Advice, facts: Facts | None, fields: tuple[tuple[str, str], ...], seconds_each: int
) -> Step:
    count = int(dict(fields)["size"])
    minutes = max(1, round(count * seconds_each / 60))
    return Step(advice, facts, count, minutes, address=reverse("drill", args=[exam.slug]), fields=fields)


def _unread_modules(exam: Exam, learner: Learner) -> dict[int, int]:
    """By domain id, the number of the first module that is not marked as read."""
    read = ModuleRead.objects.filter(learner=learner).values("module")
    unread = StudyModule.objects.filter(exam=exam).exclude(pk__in=read)
    return dict(unread.order_by("-number").values_list("domain", "number"))


def _domains(
    domains: list[BlueprintDomain], standing: Standing | None, modules: dict[int, int]
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
        )
        for row in domains
    }


def _lacking(missing: Missing | None, domains: dict[int, DomainFacts]) -> tuple[DomainFacts, ...]:
    """The domains to be dealt from; none where it is all of them."""
    if missing is None or len(missing.domains) == len(domains):
        return ()
    return tuple(domains[domain] for domain in missing.domains)


def _seconds_today(learner: Learner, exam: Exam, today: Today) -> int:
    """Spent on the answers of today."""
    mine = SessionItem.objects.filter(session__learner=learner, session__exam=exam, answered_at__gte=today.start)
    return mine.filter(session__discarded_at=None).aggregate(seconds=Sum("seconds"))["seconds"] or 0


def _days_since_mock(learner: Learner, exam: Exam, today: Today) -> int | None:
    """By the learner's calendar, as everything else that is counted in days."""
    mocks = PracticeSession.objects.filter(learner=learner, exam=exam, mode=Mode.MOCK, finished_at__isnull=False)
    last = mocks.order_by("-finished_at").values_list("finished_at", flat=True).first()
    return (today.date - last.astimezone(today.zone).date()).days if last else None
