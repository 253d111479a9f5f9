"""The mock's start page: what will happen, chosen before anything starts."""

from __future__ import annotations

import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from practice.errors import AlreadyRunning, TooFewQuestions
from practice.forms import MockForm
from practice.guards import own_origin_only, with_guest
from practice.identity import Owner, learner_of
from practice.selectors.mocks import mock_counts, mock_page
from practice.starting import MockChoice, start_mock
from questions.models import Exam


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def mock(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """GET shows the rules and what is left unseen; POST starts."""
    exam = get_object_or_404(Exam, slug=exam_slug)
    if request.method == "POST":
        return start(request, exam)
    page = mock_page(exam, learner_of(request), request.GET.get("guide", ""))
    initial = {"blueprint": page.blueprint.key, "count": page.count, "time_factor": page.time_factor}
    form = MockForm(exam, page.counts, initial=initial)
    return render(request, "practice/mock.html", {"page": page, "form": form, "exam": exam, "exam_slug": exam.slug})


@own_origin_only
@with_guest
def start(request: HttpRequest, exam: Exam, owner: Owner) -> HttpResponse:
    """Start the mock that was chosen, or say why not and offer what is possible."""
    form = MockForm(exam, mock_counts(exam, request.POST.get("blueprint", "")), request.POST)
    if form.is_valid():
        data = form.cleaned_data
        blueprint = exam.blueprints.get(key=data["blueprint"])
        choice = MockChoice(data["count"], data["time_factor"], data["conditions"] == "pausable")
        try:
            session = start_mock(owner, exam, blueprint, choice, secrets.randbits(48), timezone.now())
        except AlreadyRunning as running:
            return redirect("sitting", running.session.uuid)
        except TooFewQuestions as error:
            form.add_error("count", str(error))
        else:
            return redirect("sitting", session.uuid)
    page = mock_page(exam, learner_of(request), request.POST.get("blueprint", ""))
    context = {"page": page, "form": form, "exam": exam, "exam_slug": exam.slug}
    return render(request, "practice/mock.html", context, status=400)
