"""A learner's estimate for each objective; the public objectives page is the same for all and contains none."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from practice.learners.reads.identity import learner_of
from practice.learners.views.guards import exam_or_404
from practice.readiness.reads.objectives import estimates_page


@never_cache
@require_safe
def objective_estimates(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """For the objectives page, or as a separate page without JavaScript."""
    exam = exam_or_404(exam_slug)
    page = estimates_page(exam, learner_of(request), timezone.now())
    context = {"page": page, "exam": exam, "exam_slug": exam.slug, "place": "study"}
    fragment = request.headers.get("HX-Request")
    return render(
        request, "practice/_objective_estimates.html" if fragment else "practice/objective_estimates.html", context
    )
