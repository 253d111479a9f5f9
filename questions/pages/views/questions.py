from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.utils import timezone

from courseiva.common.page_cache import public_page, site_address
from questions.pages.reads.machines.heads import question_head
from questions.pages.reads.questions import find_question, question_page
from questions.versions.models.drafts import Question

MAX_NUMBER = 10**9


@public_page
def question(request: HttpRequest, exam_slug: str, number: int, slug: str) -> HttpResponse:
    """One question with its answer, reasons and what to do next; 410 if it is retired."""
    if number > MAX_NUMBER:
        raise Http404
    try:
        row = find_question(exam_slug, number)
    except Question.DoesNotExist:
        raise Http404 from None
    page = question_page(row)
    if page.slug != slug:
        return HttpResponsePermanentRedirect(page.url)
    context = {
        "page": page,
        "question": row,
        "exam": page.exam,
        "exam_slug": exam_slug,
        "place": "study",
        "head": question_head(page, site_address(request)),
        "today": timezone.now().date(),
    }
    template = "questions/retired.html" if page.is_retired else "questions/question.html"
    return render(request, template, context, status=410 if page.is_retired else 200)
