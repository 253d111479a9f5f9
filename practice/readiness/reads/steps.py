"""The one recommended step, which the hub, the home page and the progress page all show."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from django.db.models import Count, Sum
from django.urls import reverse

from practice.learners.models import ExamPlan, Learner, ModuleRead
from practice.measurement.ability.rules.pass_chance import missing
from practice.readiness.models import Standing
from practice.readiness.reads.progress import Coverage, coverage, unseen_mocks
from practice.readiness.rules import Advice, Facts, Section, advise
from practice.reviews.reads import Today
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.start.reads.picking import weights_of
from practice.start.reads.reviews import DueToday, due_today
from practice.start.rules import Order
from questions.catalogue.models import Blueprint, BlueprintDomain, Exam, StudyModule
from questions.catalogue.rules.shares import allocate

BLOCK = 20
SMALL_BLOCK = 5
MEASURE_LEAST, MEASURE_MOST = 10, 30
TITLES = {
    "rest": "That is enough for today",
    "review": "Review what is due",
    "measure": "Find out where you stand",
    "mock": "Sit a mock exam",
    "read": "Read first",
    "practise": "Practise",
}


@dataclass(frozen=True)
class Step:
    """What to do next, why, and the button that starts it. ``fields`` are sent by POST; without any it is a link."""

    kind: str
    title: str
    detail: str
    why: str
    address: str = ""
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Situation:
    """Everything the step rests on, which the progress page shows as well."""

    guide: Blueprint
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


def situation(exam: Exam, guide: Blueprint, learner: Learner, now: dt.datetime) -> Situation:
    """Where a learner is, in a constant number of statements."""
    counts = allocate(weights_of(guide), guide.question_count)
    domains = list(guide.domains.select_related("domain").order_by("domain__number"))
    standing = Standing.objects.filter(learner=learner, exam=exam).first()
    plan = ExamPlan.objects.filter(learner=learner, exam=exam).first()
    today, due = Today.of(learner, now), due_today(learner, exam, now)
    covered = coverage(learner, exam)
    sections = _sections(domains, standing, _unread_modules(exam, learner))
    lacking = missing({section_id: section.n for section_id, section in sections.items()}, counts)
    answered, seconds = _done_today(learner, exam, today)
    facts = Facts(
        chance=standing.chance if standing else None,
        missing=lacking.answers if lacking else 0,
        missing_in=sections[lacking.domain] if lacking else None,
        sections=tuple(sections.values()),
        due=due.count,
        answered_today=answered,
        minutes_today=round(seconds / 60),
        minutes_a_day=plan.minutes_a_day if plan else None,
        days_to_exam=(plan.exam_date - today.date).days if plan and plan.exam_date else None,
        days_since_mock=_days_since_mock(learner, exam, today),
        unseen_mocks=unseen_mocks(counts, covered),
    )
    return Situation(guide, counts, domains, standing, plan, today, due, covered, facts)


def next_step(exam: Exam, found: Situation, seconds_each: int) -> Step:
    """The recommended step, with its size in questions and minutes."""
    advice = advise(found.facts)
    if advice.kind == "rest":
        return Step("rest", TITLES["rest"], "", advice.why)
    if advice.kind == "mock":
        detail = f"{found.guide.question_count} questions, {found.guide.minutes} minutes"
        return Step("mock", TITLES["mock"], detail, advice.why, reverse("mock", args=[exam.slug]))
    if advice.kind == "read" and advice.section:
        return _reading(exam, advice.why, advice.section)
    return _drill(exam, advice, found.facts, seconds_each)


def first_step(exam: Exam, seconds_each: int) -> Step:
    """For whoever has not answered anything yet."""
    fields = (("size", str(MEASURE_MOST)), ("order", Order.GUIDE), ("feedback", "end"))
    why = "Questions you have not seen, shared over the sections as the exam does, judged at the end."
    return _posted(exam, "measure", TITLES["measure"], why, fields, seconds_each)


def _drill(exam: Exam, advice: Advice, facts: Facts, seconds_each: int) -> Step:
    fields: tuple[tuple[str, str], ...]
    if advice.kind == "review":
        fields = (("size", str(facts.due)), ("order", Order.DUE), ("confidence", "on"))
        return _posted(exam, "review", TITLES["review"], advice.why, fields, seconds_each)
    if advice.kind == "measure" or advice.section is None:
        size = min(max(facts.missing, MEASURE_LEAST), MEASURE_MOST)
        fields = (("size", str(size)), ("order", Order.GUIDE), ("feedback", "end"))
        return _posted(exam, "measure", TITLES["measure"], advice.why, fields, seconds_each)
    fields = (("domain", advice.section.key), ("size", str(_block(facts, seconds_each))), ("order", Order.UNSEEN))
    title = f"Practise section {advice.section.number}"
    return _posted(exam, "practise", title, advice.why, fields, seconds_each)


def _block(facts: Facts, seconds_each: int) -> int:
    """Twenty questions, or as many as today's minutes hold."""
    if facts.minutes_a_day is None:
        return BLOCK
    left = (facts.minutes_a_day - facts.minutes_today) * 60 // seconds_each
    return min(max(left, SMALL_BLOCK), BLOCK)


def _reading(exam: Exam, why: str, section: Section) -> Step:
    module = StudyModule.objects.lines().get(exam=exam, number=section.module or 0)
    address = reverse("module", args=[exam.slug, module.number, module.slug])
    return Step("read", f"Read module {module.number}", module.title, why, address)


def _posted(
    exam: Exam, kind: str, title: str, why: str, fields: tuple[tuple[str, str], ...], seconds_each: int
) -> Step:
    count = int(dict(fields)["size"])
    minutes = max(1, round(count * seconds_each / 60))
    detail = f"{count} question{'' if count == 1 else 's'}, about {minutes} minute{'' if minutes == 1 else 's'}"
    return Step(kind, title, detail, why, reverse("drill", args=[exam.slug]), fields)


def _unread_modules(exam: Exam, learner: Learner) -> dict[int, int]:
    """By domain id, the number of the first module that is not marked as read."""
    read = ModuleRead.objects.filter(learner=learner).values("module")
    unread = StudyModule.objects.filter(exam=exam).exclude(pk__in=read)
    return dict(unread.order_by("-number").values_list("domain", "number"))


def _sections(domains: list[BlueprintDomain], standing: Standing | None, modules: dict[int, int]) -> dict[int, Section]:
    said = {row["domain"]: row for row in standing.sections} if standing else {}
    return {
        row.domain_id: Section(
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


def _done_today(learner: Learner, exam: Exam, today: Today) -> tuple[int, int]:
    """Answers of today, and the seconds spent on them."""
    mine = SessionItem.objects.filter(session__learner=learner, session__exam=exam, answered_at__gte=today.start)
    found = mine.filter(session__discarded_at=None).aggregate(n=Count("position"), seconds=Sum("seconds"))
    return found["n"], found["seconds"] or 0


def _days_since_mock(learner: Learner, exam: Exam, today: Today) -> int | None:
    """By the learner's calendar, as everything else that is counted in days."""
    mocks = PracticeSession.objects.filter(learner=learner, exam=exam, mode=Mode.MOCK, finished_at__isnull=False)
    last = mocks.order_by("-finished_at").values_list("finished_at", flat=True).first()
    return (today.date - last.astimezone(today.zone).date()).days if last else None
