from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from courseiva.common.page_cache import public_page, site_address
from questions.pages.glossary.reads.head import glossary_head
from questions.pages.glossary.reads.page import glossary_page


@public_page
def glossary(request: HttpRequest) -> HttpResponse:
    """Every product named in the bank."""
    page = glossary_page()
    head = glossary_head(page, site_address(request))
    return render(request, "questions/glossary.html", {"page": page, "head": head})
