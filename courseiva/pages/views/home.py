"""The home page: a question to answer on the spot or, for those who have started, how to continue."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from courseiva.common.heads.head import Head
from courseiva.common.heads.structured_data import web_page
from courseiva.common.page_cache import FRESH, STALE, site_address, whole_page
from practice.learners.models import Learner
from practice.learners.reads.identity import EXAM_COOKIE, GUEST_COOKIE, learner_of, owner_of, told_exam
from practice.notebook.reads.choice import exam_in_mind
from practice.readiness.plan.reads import Today, today_of
from practice.readiness.reads.hub import hub_page
from practice.readiness.reads.page import Verdict, verdict_of
from practice.readiness.reads.steps import Situation, Step
from practice.readiness.rules import DEFAULT_SECONDS, minutes_for
from practice.sessions.reads.history import OpenSession, PastSession
from questions.catalogue.models import Exam
from questions.catalogue.reads import guide_of
from questions.pages.reads.exams import ExamLine, exam_lines
from questions.pages.reads.questions import QuestionPage, find_question, question_page
from questions.pages.reads.sample import number_of_the_day

FOR_ALL = {"public": True, "max_age": FRESH, "stale_while_revalidate": STALE}
PRIVATE = {"private": True, "no_store": True}
SAMPLE_MARKS = "rrrwrrrrrwrrrrwrrwrrwrrrrwrrrrrwrrwrrrrwrrwrrrwrrwrrrwrwrrww"
"""The result shown to new visitors: an invented mock, right and wrong by question."""
# Under twenty minutes, the most a visitor who has just arrived is likely to give.
TASTE_SIZE = 10
TASTE = {"size": TASTE_SIZE, "minutes": minutes_for(TASTE_SIZE, DEFAULT_SECONDS)}
"""The drill offered to new visitors."""


@dataclass(frozen=True)
class NextStep:
    """How a learner continues: open sessions first, then the recommended step in their exam.

    Then the rest of today's plan, and alongside it their standing and last results.
    """

    open: list[OpenSession]
    exam: Exam
    step: Step | None
    found: Situation | None
    verdict: Verdict | None
    past: list[PastSession]
    today: Today | None

    @property
    def days_left(self) -> int | None:
        """Days until the exam; None without a date, or once it is past."""
        days = self.found.facts.days_to_exam if self.found else None
        return days if days is not None and days >= 0 else None


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The same bytes for everybody who hasn't started; private for the others."""
    return first_page(request) if has_identity(request) else kept_first_page(request)


def first_page(request: HttpRequest) -> HttpResponse:
    """The page for this visitor."""
    learner, lines = learner_of(request), exam_lines()
    offered = [line for line in lines if line.blueprint]
    exam = exam_in_mind([line.exam for line in offered], learner, told_exam(request))
    asks = exam is None and len(offered) > 1
    step = next_step(learner, exam, timezone.now()) if learner and exam else None
    page = None if step else sample_question(lines, exam, timezone.localdate())
    context = {
        "is_stranger": owner_of(request) is None,
        "offered": offered if asks else [],
        "step": step,
        "exams": lines,
        "page": page,
        "sample": SAMPLE_MARKS,
        "taste": TASTE,
        "exam": exam,
        "exam_slug": exam.slug if exam else "",
        "head": home_head(site_address(request)),
    }
    response = render(request, "home.html", context)
    patch_vary_headers(response, ["Cookie"])
    patch_cache_control(response, **(PRIVATE if learner or has_identity(request) else FOR_ALL))
    return response


def home_head(base: str) -> Head:
    title = f"{settings.SITE_NAME}: practise for certification exams"
    words = (
        "Practise for certification exams: scenario questions with explanations, timed mock exams, and an honest "
        "estimate of how ready you are."
    )
    return Head(base, "/", title, words, nodes=[web_page(settings.SITE_NAME, "/", base, "WebSite", description=words)])


kept_first_page = whole_page(first_page)


def has_identity(request: HttpRequest) -> bool:
    """Whether the request has a session, guest or exam cookie, valid or not."""
    return not request.COOKIES.keys().isdisjoint({settings.SESSION_COOKIE_NAME, GUEST_COOKIE, EXAM_COOKIE})


def sample_question(lines: list[ExamLine], exam: Exam | None, today: dt.date) -> QuestionPage | None:
    """A question from the chosen exam or, if none is chosen, the one with the most public questions."""
    for line in sorted(lines, key=lambda line: -line.question_count):
        if exam in (None, line.exam):
            number = number_of_the_day(line.exam, line.question_count, today)
            if number:
                return question_page(find_question(line.exam.slug, number))
    return None


def next_step(learner: Learner, exam: Exam, now: dt.datetime) -> NextStep:
    """The learner's unfinished sessions, and the step the practice hub recommends for this exam."""
    page = hub_page(guide_of(pk=exam.pk), learner, now, with_past=True)
    found = page.found
    return NextStep(
        open=[each.as_open(now) for each in found.now.open] if found else [],
        exam=exam,
        step=None if page.drill else page.step,
        found=found,
        verdict=verdict_of(found) if found else None,
        past=found.now.past if found else [],
        today=today_of(exam, found, page.step) if found else None,
    )
