"""The study guide of an exam, made of the rows of its guides: nothing in it is typed by hand."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from courseiva.pages.rules import HOURS_A_WEEK, MOCK_WEEKS, STUDY_WEEKS, lay_out
from questions.catalogue.models import Exam, StudyModule
from questions.catalogue.rules.shares import allocate
from questions.pages.reads.exams import ExamPage, SectionLine, exam_page

Pairs = list[tuple[str, str]]
ORDINALS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True)
class SectionPlan:
    """A section with what it is worth in a mock, and the hours and modules it gets in the plan."""

    section: SectionLine
    questions: int
    hours: int
    modules: list[StudyModule]


@dataclass(frozen=True)
class Part:
    """Hours of one section in one week; ``begins`` where it is the section's first week."""

    plan: SectionPlan
    hours: int
    begins: bool


@dataclass(frozen=True)
class StudyGuide:
    """The guide. ``sections`` and ``weeks`` are empty where no guide of the exam is current."""

    page: ExamPage
    sections: list[SectionPlan]
    weeks: list[list[Part]]
    mock_weeks: list[int]
    faq: Pairs
    hours_a_week: int = HOURS_A_WEEK

    @property
    def week_count(self) -> int:
        """Weeks in all."""
        return len(self.weeks) + len(self.mock_weeks)


def study_guide(exam: Exam) -> StudyGuide:
    """Weights decide: a mock's questions and the plan's hours are shared out by the current guide."""
    page = exam_page(exam)
    place = dict(exam.domains.values_list("pk", "number"))
    modules: dict[int, list[StudyModule]] = defaultdict(list)
    for module in page.modules:
        modules[place[module.domain_id]].append(module)
    weights = [(each.number, weight) for each in page.sections if (weight := each.weights[-1].value)]
    if not page.current or not weights:
        return StudyGuide(page, [], [], [], _faq(page))
    questions = allocate(weights, page.current.question_count)
    hours = allocate(weights, STUDY_WEEKS * HOURS_A_WEEK)
    plans = [
        SectionPlan(each, questions[each.number], hours[each.number], modules[each.number])
        for each in page.sections
        if each.number in hours
    ]
    weeks = _weeks(plans)
    mock_weeks = list(range(len(weeks) + 1, len(weeks) + MOCK_WEEKS + 1))
    return StudyGuide(page, plans, weeks, mock_weeks, _faq(page))


def _weeks(plans: list[SectionPlan]) -> list[list[Part]]:
    by_number = {plan.section.number: plan for plan in plans}
    begun: set[int] = set()
    weeks = []
    for week in lay_out({plan.section.number: plan.hours for plan in plans}, HOURS_A_WEEK):
        weeks.append([Part(by_number[number], hours, number not in begun) for number, hours in week])
        begun |= {number for number, _ in week}
    return weeks


def _faq(page: ExamPage) -> Pairs:
    """What people ask about the exam, as far as the rows can answer it."""
    exam, guide = page.exam, page.current
    pairs: Pairs = []
    if guide:
        pairs.append(
            (
                f"How long is a {exam.code} mock exam here?",
                f"{guide.question_count} questions in {guide.minutes} minutes, shared over the sections by the weights "
                f"of the {guide.name}.",
            )
        )
        pairs.append(
            (
                f"What is the pass mark of {exam.code}?",
                f"{exam.vendor} publishes none. Mock exams here use {guide.pass_mark} % as a practice pass mark, which "
                "is a yardstick and not a promise.",
            )
        )
    if len(page.guides) > 1 and guide:
        said = " ".join(page.changes) or "No weight changed."
        pairs.append((f"What did the {guide.name} change?", said))
    if exam.retake_days:
        waits = ", ".join(
            f"{days} days after the {name} failed try" for name, days in zip(ORDINALS, exam.retake_days, strict=False)
        )
        pairs.append((f"How long must I wait before I may try {exam.code} again?", f"{waits}."))
    pairs.append(
        (
            "Are these questions from the real exam?",
            "No. Every question is written for Courseiva from public documentation, which it names as its sources.",
        )
    )
    return pairs
