"""Responses to refused requests: a page, or JSON for scripts. None of them reads the request's body.

The body may be the very thing that can't be read: Django's own handlers read it again for a form's token, and an
exception there leaves the application.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

WORDS = {
    400: "We couldn’t read that request.",
    403: "You don’t have access to this.",
    404: "There is nothing at this address.",
}
STALE_FORM = "This form has expired, or this browser is blocking our cookie. Reload the page and send it again."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _refusal(request, 400)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _refusal(request, 403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _refusal(request, 404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without the right token. Only the log says why; Django has written it there."""
    return _refusal(request, 403, "403_csrf.html", STALE_FORM)


def _refusal(request: HttpRequest, status: int, template: str = "", words: str = "") -> HttpResponse:
    if request.content_type == "application/json":
        return JsonResponse({"error": words or WORDS[status]}, status=status)
    return render(request, template or f"{status}.html", status=status)
