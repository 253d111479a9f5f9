"""Exams, domains, concepts, collections, and the list of questions."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from courseiva.common.heads.head import Head
from courseiva.common.page_cache import public_page, site_address
from questions.catalogue.models import Concept, Domain
from questions.pages.counted.reads import counted_exams
from questions.pages.forms import QuestionFilter
from questions.pages.reads import exams as exam_pages
from questions.pages.reads.collections import collection_list, collection_page
from questions.pages.reads.lists import question_list
from questions.pages.reads.machines.heads import (
    collection_head,
    collections_head,
    concept_head,
    domain_head,
    exam_head,
    exams_head,
    questions_head,
)


@public_page
def exams(request: HttpRequest) -> HttpResponse:
    lines = exam_pages.exam_lines()
    head = exams_head(lines, site_address(request))
    return _page(request, "questions/exams.html", head, {"exams": lines, "place": ""})


@public_page
def exam(request: HttpRequest, exam_slug: str) -> HttpResponse:
    page = exam_pages.exam_page(get_object_or_404(counted_exams(), slug=exam_slug))
    return _page(request, "questions/exam.html", exam_head(page, site_address(request)), {"page": page})


@public_page
def questions(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The public questions of an exam, filtered and searched by query parameters."""
    found = get_object_or_404(counted_exams(), slug=exam_slug)
    form = QuestionFilter(found, request.GET)
    chosen = form.chosen()
    listed = question_list(found, chosen, request.GET.get("page", "1"))
    head = questions_head(found, listed, bool(chosen), site_address(request))
    context = {"form": form, "list": listed, "chosen": chosen, "words": form.words()}
    return _page(request, "questions/questions.html", head, context)


@public_page
def domain(request: HttpRequest, exam_slug: str, domain_key: str) -> HttpResponse:
    found = get_object_or_404(counted_exams(), slug=exam_slug)
    try:
        page = exam_pages.domain_page(found, domain_key)
    except Domain.DoesNotExist:
        raise Http404 from None
    return _page(request, "questions/domain.html", domain_head(page, site_address(request)), {"page": page})


@public_page
def concept(request: HttpRequest, exam_slug: str, slug: str) -> HttpResponse:
    found = get_object_or_404(counted_exams(), slug=exam_slug)
    try:
        page = exam_pages.concept_page(found, slug)
    except Concept.DoesNotExist:
        raise Http404 from None
    return _page(request, "questions/concept.html", concept_head(page, site_address(request)), {"page": page})


@public_page
def collections(request: HttpRequest, exam_slug: str) -> HttpResponse:
    page = collection_list(get_object_or_404(counted_exams(), slug=exam_slug))
    head = collections_head(page.exam, site_address(request))
    return _page(request, "questions/collections.html", head, {"page": page})


@public_page
def collection(request: HttpRequest, exam_slug: str, slug: str) -> HttpResponse:
    """A set of questions with its rule."""
    page = collection_page(get_object_or_404(counted_exams(), slug=exam_slug), slug)
    if page is None:
        raise Http404
    return _page(request, "questions/collection.html", collection_head(page, site_address(request)), {"page": page})


def _page(request: HttpRequest, template: str, head: Head, context: dict[str, object]) -> HttpResponse:
    slug = head.exam.slug if head.exam else ""
    frame = {"exam": head.exam, "exam_slug": slug, "place": "study", "head": head}
    return render(request, template, frame | context)
