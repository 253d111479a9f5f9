"""The home page: a question to answer right there, or, for whoever has begun, how to go on."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from practice.identity import GUEST_COOKIE, learner_of
from practice.models import Learner, PracticeSession
from practice.selectors.history import OpenSitting, open_sittings
from practice.selectors.hub import hub_page
from practice.selectors.steps import Step
from questions.caching import FRESH, STALE, site_address, whole_page
from questions.heads import Head
from questions.models import Exam
from questions.selectors import question_page
from questions.selectors.exam_pages import ExamLine, exam_lines
from questions.selectors.question_pages import QuestionPage
from questions.selectors.sample import question_of_the_day
from questions.structured_data import web_page


@dataclass(frozen=True)
class NextStep:
    """How a learner goes on: what is open first, then the recommended step in the exam used last."""

    open: list[OpenSitting]
    exam: Exam
    step: Step | None


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The same bytes for everybody who has done nothing here yet; private for whoever has."""
    return first_page(request) if has_identity(request) else kept_first_page(request)


def first_page(request: HttpRequest) -> HttpResponse:
    """The page as it is for this visitor."""
    learner = learner_of(request)
    lines = exam_lines()
    page = None if learner else sample_question(lines, timezone.localdate())
    step = next_step(learner, lines, timezone.now()) if learner else None
    exam = page.exam if page else step.exam if step else None
    context = {
        "step": step,
        "exams": lines,
        "page": page,
        "exam": exam,
        "exam_slug": exam.slug if exam else "",
        "head": home_head(site_address(request)),
    }
    response = render(request, "home.html", context)
    patch_vary_headers(response, ["Cookie"])
    kept = learner is None and not has_identity(request)
    for_all = {"public": True, "max_age": FRESH, "stale_while_revalidate": STALE}
    patch_cache_control(response, **(for_all if kept else {"private": True, "no_store": True}))
    return response


def home_head(base: str) -> Head:
    """The site as a whole."""
    title = "Courseiva: practise for certification exams"
    words = (
        "Practise for certification exams: scenario questions with the reasons, timed mock exams, and an honest "
        "reading of how ready you are."
    )
    return Head(base, "/", title, words, nodes=[web_page("Courseiva", "/", base, "WebSite", description=words)])


kept_first_page = whole_page(first_page)


def has_identity(request: HttpRequest) -> bool:
    """True where the request brings a session or a guest's token, whatever it is worth."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES or GUEST_COOKIE in request.COOKIES


def sample_question(lines: list[ExamLine], today: dt.date) -> QuestionPage | None:
    """A question of the first exam that has one."""
    for line in lines:
        question = question_of_the_day(line.exam, line.question_count, today)
        if question:
            return question_page(question)
    return None


def next_step(learner: Learner, lines: list[ExamLine], now: dt.datetime) -> NextStep | None:
    """The learner's open sittings, and the step the practice hub recommends for the exam used last."""
    last = PracticeSession.objects.filter(learner=learner).order_by("-started_at").values_list("exam_id", flat=True)
    ready = {line.exam.pk: line.exam for line in lines if line.guide}
    exam = ready.get(last.first() or 0) or next(iter(ready.values()), None)
    if exam is None:
        return None
    page = hub_page(exam, learner, now)
    return NextStep(open_sittings(learner, now), exam, None if page.drill else page.step)
