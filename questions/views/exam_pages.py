"""Exams, sections, topics, and the list of questions."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from questions.caching import public_page, site_address
from questions.forms import QuestionFilter
from questions.models import Concept, Domain, Exam
from questions.selectors import exam_pages
from questions.selectors.lists import question_list


@public_page
def exams(request: HttpRequest) -> HttpResponse:
    """All exams."""
    return _page(request, "questions/exams.html", {"exams": exam_pages.exam_lines(), "place": ""})


@public_page
def exam(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Facts and lists about one exam."""
    page = exam_pages.exam_page(get_object_or_404(Exam, slug=exam_slug))
    return _page(request, "questions/exam.html", {"page": page, "exam": page.exam})


@public_page
def questions(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The open questions of an exam, filtered and searched by what the address says."""
    found = get_object_or_404(Exam, slug=exam_slug)
    form = QuestionFilter(found, request.GET)
    chosen = form.chosen()
    listed = question_list(found, chosen, request.GET.get("page", "1"))
    context = {"exam": found, "form": form, "list": listed, "chosen": chosen, "words": form.words()}
    return _page(request, "questions/questions.html", context)


@public_page
def domain(request: HttpRequest, exam_slug: str, domain_key: str) -> HttpResponse:
    """A section of an exam."""
    found = get_object_or_404(Exam, slug=exam_slug)
    try:
        page = exam_pages.domain_page(found, domain_key)
    except Domain.DoesNotExist:
        raise Http404 from None
    return _page(request, "questions/domain.html", {"page": page, "exam": found})


@public_page
def topic(request: HttpRequest, exam_slug: str, slug: str) -> HttpResponse:
    """A concept of an exam."""
    found = get_object_or_404(Exam, slug=exam_slug)
    try:
        page = exam_pages.topic_page(found, slug)
    except Concept.DoesNotExist:
        raise Http404 from None
    return _page(request, "questions/topic.html", {"page": page, "exam": found})


def _page(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    found = context.get("exam")
    slug = found.slug if isinstance(found, Exam) else ""
    frame = {"exam_slug": slug, "place": "study", "canonical_url": site_address(request) + request.path}
    return render(request, template, frame | context)
