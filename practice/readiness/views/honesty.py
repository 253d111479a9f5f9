"""The public page on how predictions turned out."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from courseiva.common.heads.head import text_head
from courseiva.common.heads.links import Link
from courseiva.common.page_cache import public_page, site_address
from practice.learners.views.guards import exam_or_404
from practice.readiness.reads.honesty import calibration_page
from questions.pages.reads.machines.heads import to_exam


@public_page
def calibration(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Predictions compared with results, the same for every visitor."""
    exam = exam_or_404(exam_slug)
    title = f"How accurate our predictions for {exam.code} are"
    description = f"How often our predictions for {exam.code} mock exams came true, with all the figures."
    trail = [*to_exam(exam), Link("Calibration", request.path)]
    context = {
        "page": calibration_page(exam),
        "exam": exam,
        "exam_slug": exam.slug,
        "place": "progress",
        "head": text_head(site_address(request), title, description, trail, exam=exam),
    }
    return render(request, "practice/calibration.html", context)
