"""The public page on how honest the predictions are."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from practice.selectors.calibration_pages import calibration_page
from practice.views.hub import exam_or_404
from questions.caching import public_page, site_address


@public_page
def calibration(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Predictions beside results, the same for every visitor."""
    exam = exam_or_404(exam_slug)
    context = {
        "page": calibration_page(exam),
        "exam": exam,
        "exam_slug": exam.slug,
        "place": "progress",
        "canonical_url": f"{site_address(request)}{request.path}",
    }
    return render(request, "practice/calibration.html", context)
