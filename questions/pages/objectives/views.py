from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render

from courseiva.common.page_cache import public_page, site_address
from questions.catalogue.models import Blueprint, Exam
from questions.pages.objectives.reads.case import case_data
from questions.pages.objectives.reads.head import objectives_head
from questions.pages.objectives.reads.page import objectives_page


@public_page
def objectives(request: HttpRequest, exam_slug: str, guide: str = "") -> HttpResponse:
    """The objectives of the current guide, or of the one in the URL."""
    exam = get_object_or_404(Exam, slug=exam_slug)
    try:
        page = objectives_page(exam, guide)
    except Blueprint.DoesNotExist:
        raise Http404 from None
    if guide and page.guide.is_current:
        return redirect("objectives", exam_slug)
    context = {"page": page, "head": objectives_head(page, site_address(request))}
    return render(
        request, "questions/objectives.html", {"exam": exam, "exam_slug": exam.slug, "place": "study"} | context
    )


@public_page
def case_package(request: HttpRequest, exam_slug: str, guide: str) -> HttpResponse:
    """The same as a CASE 1.1 package. Its URL names the guide, so it stays valid when another becomes current."""
    exam = get_object_or_404(Exam, slug=exam_slug)
    try:
        data = case_data(exam, guide, site_address(request))
    except Blueprint.DoesNotExist:
        raise Http404 from None
    return JsonResponse(data, json_dumps_params={"ensure_ascii": False})
