"""An exam's study guide, built from its blueprints in the database: nothing in it is typed by hand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from courseiva.pages.rules import HOURS_A_WEEK, MOCK_WEEKS, lay_out, study_weeks
from questions.catalogue.models import Blueprint, Exam, StudyModule
from questions.catalogue.rules.shares import allocate
from questions.pages.reads.exams import DomainLine, ExamPage, exam_page

Pairs = list[tuple[str, str]]
NEWS = {"came": "Added", "went": "Removed", "moved": "Moved", "reworded": "Reworded"}
ORDINALS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True)
class DomainPlan:
    """A domain with its share of a mock, and its hours and modules in the plan."""

    domain: DomainLine
    questions: int
    hours: int
    modules: list[StudyModule]


@dataclass(frozen=True)
class Part:
    """One domain's hours in one week; ``begins`` if it is the domain's first week."""

    plan: DomainPlan
    hours: int
    begins: bool


@dataclass(frozen=True)
class News:
    """The changes the outline lists under one heading: where in the guide, and what."""

    name: str
    lines: list[dict[str, str]]


@dataclass(frozen=True)
class Changed:
    """What the current guide changed besides weights, as its outline lists it. ``former`` is the previous guide."""

    former: str
    news: list[News]
    renamed: list[dict[str, str]]


@dataclass(frozen=True)
class StudyGuide:
    """The study guide. ``domains`` and ``weeks`` are empty if the exam has no current blueprint."""

    page: ExamPage
    domains: list[DomainPlan]
    weeks: list[list[Part]]
    mock_weeks: list[int]
    faq: Pairs
    changed: Changed | None = None
    hours_a_week: int = HOURS_A_WEEK

    @property
    def week_count(self) -> int:
        return len(self.weeks) + len(self.mock_weeks)


def study_guide(exam: Exam) -> StudyGuide:
    """By weight: the current guide's weights share out a mock's questions and the plan's hours."""
    page = exam_page(exam)
    place = dict(exam.domains.values_list("pk", "number"))
    modules: dict[int, list[StudyModule]] = defaultdict(list)
    for module in page.modules:
        modules[place[module.domain_id]].append(module)
    weights = [(each.number, weight) for each in page.domains if (weight := each.weights[-1].value)]
    if not page.current or not weights:
        return StudyGuide(page, [], [], [], _faq(page))
    questions = allocate(weights, page.current.question_count)
    hours = allocate(weights, study_weeks(page.current.question_count) * HOURS_A_WEEK)
    plans = [
        DomainPlan(each, questions[each.number], hours[each.number], modules[each.number])
        for each in page.domains
        if each.number in hours
    ]
    weeks = _weeks(plans)
    mock_weeks = list(range(len(weeks) + 1, len(weeks) + MOCK_WEEKS + 1))
    return StudyGuide(page, plans, weeks, mock_weeks, _faq(page), _changed(page.blueprints, page.current))


def _changed(guides: list[Blueprint], current: Blueprint) -> Changed | None:
    said = current.changed
    news = [News(name, said[key]) for key, name in NEWS.items() if said.get(key)]
    if not (news or said.get("renamed")):
        return None
    former = next((guide.name for guide in guides if guide.key == said.get("compared_with")), "")
    return Changed(former, news, said.get("renamed", []))


def _weeks(plans: list[DomainPlan]) -> list[list[Part]]:
    by_number = {plan.domain.number: plan for plan in plans}
    begun: set[int] = set()
    weeks = []
    for week in lay_out({plan.domain.number: plan.hours for plan in plans}, HOURS_A_WEEK):
        weeks.append([Part(by_number[number], hours, number not in begun) for number, hours in week])
        begun |= {number for number, _ in week}
    return weeks


def _faq(page: ExamPage) -> Pairs:
    """Common questions about the exam, as far as the database can answer them."""
    exam, blueprint = page.exam, page.current
    pairs: Pairs = []
    if blueprint:
        pairs.append(
            (
                f"How long are {exam.code} mock exams here?",
                f"{blueprint.question_count} questions in {blueprint.minutes} minutes, split between the domains "
                f"by the weights in the {blueprint.name}.",
            )
        )
        pairs.append(
            (
                f"What’s the pass mark for {exam.code}?",
                f"{exam.vendor} doesn’t publish one. Mock exams here use {blueprint.pass_mark}% as a practice pass "
                "mark: a yardstick, not a promise.",
            )
        )
    if len(page.blueprints) > 1 and blueprint:
        lines = (f"Domain {each.number}, {each.name}: was {each.before}, now {each.now}." for each in page.changes)
        said = " ".join(lines) or "The weights didn’t change."
        pairs.append((f"What did the {blueprint.name} change?", said))
    if exam.retake_days:
        waits = [f"{days} days after the {name}" for name, days in zip(ORDINALS, exam.retake_days, strict=False)]
        waits[0] += " failed attempt"
        pairs.append((f"How soon can I retake {exam.code}?", f"{', '.join(waits)}."))
    pairs.append(
        (
            "Are these questions from the real exam?",
            "No. Every question is written from public documentation, listed as its sources.",
        )
    )
    return pairs
