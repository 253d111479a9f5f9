"""Search over questions, concepts and study modules of all exams."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from courseiva.common.heads.head import Head
from courseiva.common.page_cache import public_page, site_address
from questions.pages.forms import SearchForm
from questions.pages.reads.search import search_page


@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Published texts that contain all the words; an empty search explains the search."""
    form = SearchForm(request.GET)
    text = form.cleaned_data["q"] if form.is_valid() else ""
    title = f"“{text}” · Search" if text else "Search"
    words = "Search questions, concepts and study modules across all exams."
    head = Head(site_address(request), request.path, title, words, is_indexed=False)
    context = {"page": search_page(text, request.GET.get("page", "1")), "form": form, "head": head}
    return render(request, "search.html", context)
