"""Text size and width: stored in the browser, so that every page stays the same bytes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from courseiva.common.page_cache import public_page


@public_page
def display(request: HttpRequest) -> HttpResponse:
    """The choices; a script stores them in the browser."""
    return render(request, "display.html")
