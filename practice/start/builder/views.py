"""The drill builder, starting a drill, and presets."""

from __future__ import annotations

import secrets
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from practice.learners.reads.identity import Owner, learner_of
from practice.learners.views.guards import exam_or_404, own_origin_only, with_guest
from practice.sessions.errors import NothingDue, NotPossible, TooFewQuestions
from practice.start.begin import start_drill
from practice.start.builder.forms import PresetForm
from practice.start.builder.keep import drop_preset, keep_preset
from practice.start.builder.reads import builder_page
from practice.start.forms import DrillForm
from practice.start.reads.fitting import DrillChoice
from questions.catalogue.models import Exam


@never_cache
@require_safe
def builder(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The choices from the query string, each with what it leaves."""
    exam = exam_or_404(exam_slug)
    return _render(request, exam, DrillForm(exam, request.GET))


@own_origin_only
@with_guest
def drill(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Start the chosen drill; if it would be shorter than its page said, or empty, the builder says so."""
    exam = exam_or_404(exam_slug)
    form = DrillForm(exam, request.POST)
    if form.is_valid():
        seed, carry_on = secrets.randbits(48), "carry_on" in request.POST
        try:
            session = start_drill(owner, exam, form.choice(), seed, timezone.now(), carry_on)
        except (TooFewQuestions, NothingDue) as error:
            form.add_error(None, ValidationError(str(error), error.code))
        else:
            if "paper" in request.POST:
                return redirect("booklet", session.uuid)
            place = "#q2" if carry_on and session.total > 1 else ""
            return redirect(f"{session.get_absolute_url()}{place}")
    return _render(request, exam, form, status=400)


@own_origin_only
@with_guest
def preset(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Save a preset, then show the builder filled with it."""
    exam = exam_or_404(exam_slug)
    form, named = DrillForm(exam, request.POST), PresetForm(request.POST)
    if form.is_valid() and named.is_valid():
        data = named.cleaned_data
        try:
            kept = keep_preset(owner, exam, data["name"], form.pairs(), data["preset"], timezone.now())
        except NotPossible as error:
            named.add_error("name", ValidationError(str(error), error.code))
        else:
            return redirect(f"{kept.address}&said=preset#presets")
    return _render(request, exam, form, named, status=400)


@own_origin_only
def preset_drop(request: HttpRequest, exam_slug: str, preset_id: int) -> HttpResponse:
    """Delete one's own preset."""
    exam, learner = exam_or_404(exam_slug), learner_of(request)
    if learner is None:
        raise Http404
    drop_preset(learner, exam, preset_id)
    return redirect("builder", exam.slug)


def _render(
    request: HttpRequest, exam: Exam, form: DrillForm, named: PresetForm | None = None, status: int = 200
) -> HttpResponse:
    choice, pairs = (form.choice(), form.pairs()) if form.is_complete else (None, [])
    page = builder_page(exam, learner_of(request), choice or DrillChoice(), timezone.now())
    link = f"{request.path}?{urlencode(pairs)}"
    context = {
        "page": page,
        "form": form,
        "named": named or PresetForm(initial=request.GET.dict()),
        "link": link,
        "exam": exam,
        "exam_slug": exam.slug,
        "place": "practise",
        "said": request.GET.get("said", ""),
    }
    return render(request, "practice/builder.html", context, status=status)
