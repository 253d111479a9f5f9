from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from courseiva.common.page_cache import public_page, site_address
from questions.pages.counted.reads import dated_exams
from questions.pages.reads.feeds import feed_of

ATOM = "application/atom+xml; charset=utf-8"


@public_page
def feed(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The exam's most recently published or revised questions."""
    page = feed_of(get_object_or_404(dated_exams(), slug=exam_slug))
    return render(request, "questions/feed.xml", {"page": page, "base": site_address(request)}, content_type=ATOM)
