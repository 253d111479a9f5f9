"""The practice hub."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from practice.learners.reads.identity import learner_of
from practice.learners.views.guards import guide_or_404
from practice.readiness.plan.reads import today_of
from practice.readiness.reads.hub import hub_page
from practice.start.builder.reads import presets_of
from practice.start.forms import DrillForm


@never_cache
@require_GET
def hub(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """What to do next, and ready-made drills; an address with a drill's choices redirects to the builder."""
    guide = guide_or_404(exam_slug)
    exam = guide[0].blueprint.exam
    if DrillForm.is_in(request.GET):
        return redirect(f"{reverse('builder', args=[exam.slug])}?{request.GET.urlencode()}")
    learner = learner_of(request)
    page = hub_page(guide, learner, timezone.now())
    today = today_of(exam, page.found, page.step) if page.found else None
    context: dict[str, Any] = {"page": page, "today": today, "presets": presets_of(learner, exam)}
    context |= {"exam": exam, "exam_slug": exam.slug, "place": "practise"}
    return render(request, "practice/hub.html", context)
