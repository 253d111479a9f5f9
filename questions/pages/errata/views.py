"""The errata as a page, as a feed, and as data."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from courseiva.common.page_cache import public_page, site_address
from questions.pages.errata.reads.errata import IN_FEED, errata_page
from questions.pages.errata.reads.machines import errata_data, errata_head
from questions.pages.errata.rules import REREAD_DAYS

ATOM = "application/atom+xml; charset=utf-8"


@public_page
def errata(request: HttpRequest) -> HttpResponse:
    page = errata_page(request.GET.get("page", "1"))
    head = errata_head(page, site_address(request))
    return render(request, "questions/errata.html", {"page": page, "head": head, "reread_days": REREAD_DAYS})


@public_page
def errata_feed(request: HttpRequest) -> HttpResponse:
    """The newest errata."""
    context = {"page": errata_page("1", IN_FEED), "base": site_address(request)}
    return render(request, "questions/errata.xml", context, content_type=ATOM)


@public_page
def errata_json(request: HttpRequest) -> HttpResponse:
    """All errata for programs, paginated like the list; ``next`` is the next page."""
    page = errata_page(request.GET.get("page", "1"))
    return JsonResponse(errata_data(page, site_address(request)), json_dumps_params={"ensure_ascii": False})
