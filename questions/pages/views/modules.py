from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from courseiva.common.page_cache import public_page, site_address
from questions.catalogue.models import Exam, StudyModule
from questions.pages.reads.machines.heads import module_head
from questions.pages.reads.modules import module_page

MAX_NUMBER = 30_000
"""Below 32,767, the column's maximum: on PostgreSQL, a larger number in an address would be an error."""
NOTEBOOK_TYPE = "application/x-ipynb+json"


@public_page
def module(request: HttpRequest, exam_slug: str, number: int, slug: str) -> HttpResponse:
    exam = get_object_or_404(Exam, slug=exam_slug)
    if number > MAX_NUMBER:
        raise Http404
    try:
        page = module_page(exam, number)
    except StudyModule.DoesNotExist:
        raise Http404 from None
    head = module_head(page, site_address(request))
    if page.module.slug != slug:
        return HttpResponsePermanentRedirect(head.address)
    context = {"page": page, "exam": exam, "exam_slug": exam_slug, "place": "study", "head": head}
    return render(request, "questions/module.html", context)


@public_page
def notebook(request: HttpRequest, exam_slug: str, number: int, slug: str) -> HttpResponse:
    """The module's code as a Jupyter notebook."""
    if number > MAX_NUMBER:
        raise Http404
    found = get_object_or_404(StudyModule, exam__slug=exam_slug, number=number)
    if not found.notebook:
        raise Http404
    if found.slug != slug:
        return HttpResponsePermanentRedirect(reverse("module-notebook", args=[exam_slug, number, found.slug]))
    named = {"Content-Disposition": f'attachment; filename="{found.notebook_name}"'}
    return HttpResponse(found.notebook, content_type=NOTEBOOK_TYPE, headers=named)
