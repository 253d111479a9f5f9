"""The exam a reader is preparing for: the one they chose, or else the one they practised last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from practice.learners.models import Learner
from practice.sessions.models import PracticeSession
from questions.catalogue.models import Exam
from questions.pages.reads.exams import ExamLine, exam_lines


@dataclass(frozen=True)
class ChoicePage:
    """The exams to choose from, and the current one."""

    lines: list[ExamLine]
    exam: Exam | None


def choice_page(learner: Learner | None, slug: str) -> ChoicePage:
    lines = [line for line in exam_lines() if line.blueprint]
    return ChoicePage(lines, exam_in_mind([line.exam for line in lines], learner, slug))


def exam_in_mind(exams: Sequence[Exam], learner: Learner | None, slug: str) -> Exam | None:
    """The account's choice, else this browser's (``slug``), else the exam practised last; None means ask.

    If there is only one exam, that one. The account comes first, because it covers other browsers.
    """
    if len(exams) < 2:
        return exams[0] if exams else None
    by_pk = {exam.pk: exam for exam in exams}
    account = learner.exam_id if learner and learner.user_id else None
    browser = next((exam.pk for exam in exams if exam.slug == slug), None)
    said = by_pk.get(account or 0) or by_pk.get(browser or 0)
    return said or (by_pk.get(_practised_last(learner) or 0) if learner else None)


def _practised_last(learner: Learner) -> int | None:
    sessions = PracticeSession.objects.filter(learner=learner).order_by("-started_at")
    return sessions.values_list("exam_id", flat=True).first()
