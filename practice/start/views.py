"""The mock's start page: what will happen, chosen before anything starts."""

from __future__ import annotations

import secrets

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from practice.learners.reads.identity import Owner, learner_of
from practice.learners.reads.networks import network_of
from practice.learners.views.guards import exam_or_404, own_origin_only, with_guest
from practice.sessions.errors import AlreadyRunning, MeetsMaintenance, ReservedUsedUp, TooFewQuestions
from practice.start.begin import MockChoice, start_mock
from practice.start.forms import MockForm
from practice.start.reads.mocks import mock_page
from questions.catalogue.models import Exam


@csrf_exempt  # ``start`` checks the origin instead
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mock(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """GET shows the rules and how much is left unseen; POST starts the mock."""
    if request.method == "POST":
        return start(request, exam_slug)
    return _render(request, exam_or_404(exam_slug), request.GET.get("guide", ""))


@own_origin_only
@with_guest
def start(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Start the chosen mock, or say why not and offer what is possible."""
    form = MockForm(exam_slug, request.POST)
    if form.is_valid():
        data = form.cleaned_data
        choice = MockChoice(data["count"], data["time_factor"], data["conditions"] == "pausable", form.is_public)
        seed, now = secrets.randbits(48), timezone.now()
        try:
            session = start_mock(owner, form.chosen, choice, seed, now, network_of(request))
        except AlreadyRunning as running:
            session = running.session
        except (MeetsMaintenance, ReservedUsedUp) as refusal:
            form.add_error(None, ValidationError(str(refusal), refusal.code))
        except TooFewQuestions as error:
            words = f"There aren’t enough questions for {choice.count} in the exam’s proportions."
            form.add_error("count", ValidationError(words, error.code))
        if form.is_valid():
            return redirect("booklet" if form.is_paper else "session", session.uuid)
    return _render(request, exam_or_404(exam_slug), request.POST.get("blueprint", ""), form, status=400)


def _render(
    request: HttpRequest, exam: Exam, blueprint: str, form: MockForm | None = None, status: int = 200
) -> HttpResponse:
    page = mock_page(exam, learner_of(request), blueprint, timezone.now(), network_of(request))
    if form is None:
        form = MockForm(
            exam.slug,
            initial={"count": page.count, "time_factor": page.time_factor, "conditions": "exam", "medium": "screen"},
        )
    form.offer(page.lengths)
    context = {"page": page, "form": form, "exam": exam, "exam_slug": exam.slug, "place": "mock"}
    return render(request, "practice/mock.html", context, status=status)
