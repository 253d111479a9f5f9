"""Marking modules of the study guide as read. The public pages are the same for all and contain no marks."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from practice.learners.reads.identity import Owner, owner_of
from practice.learners.views.guards import exam_or_404, own_origin_only, with_guest
from practice.notebook.mark_read import set_read
from practice.notebook.reads.modules import find_module, module_lines, module_mark
from questions.catalogue.models import StudyModule

MAX_NUMBER = 30_000
"""Below 32,767, the column's maximum: on PostgreSQL, a larger number in an address would be an error, not a 404."""


@never_cache
@require_safe
def module_marks(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Which modules of an exam are marked: for the exam's page, or as a page without JavaScript."""
    exam = exam_or_404(exam_slug)
    context = {"lines": module_lines(exam, owner_of(request)), "exam": exam, "exam_slug": exam.slug, "place": "study"}
    fragment = request.headers.get("HX-Request")
    return render(request, "practice/_module_marks.html" if fragment else "practice/module_marks.html", context)


@never_cache
@require_safe
def module_read_state(request: HttpRequest, exam_slug: str, number: int) -> HttpResponse:
    """Whether the module is marked: for the module's page, or as a page without JavaScript."""
    return _render(request, _module_or_404(exam_slug, number), owner_of(request))


@own_origin_only
@with_guest
def mark_module(request: HttpRequest, exam_slug: str, number: int, owner: Owner) -> HttpResponse:
    """Mark the module as read, or as unread if ``on`` is 0; then go back to it."""
    module = _module_or_404(exam_slug, number)
    set_read(owner, module, request.POST.get("on") != "0", timezone.now())
    if request.headers.get("HX-Request"):
        return _render(request, module, owner)
    return redirect(reverse("module", args=[exam_slug, number, module.slug]) + "#read")


def _module_or_404(exam_slug: str, number: int) -> StudyModule:
    if number > MAX_NUMBER:
        raise Http404
    try:
        return find_module(exam_slug, number)
    except StudyModule.DoesNotExist:
        raise Http404 from None


def _render(request: HttpRequest, module: StudyModule, owner: Owner | None) -> HttpResponse:
    mark = module_mark(module, owner)
    context = {"mark": mark, "module": module, "exam": module.exam, "exam_slug": module.exam.slug, "place": "study"}
    fragment = request.headers.get("HX-Request")
    return render(request, "practice/_module_mark.html" if fragment else "practice/module_mark.html", context)
