from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse


def moved(view: Callable[..., HttpResponse], name: str) -> Callable[..., HttpResponse]:
    """A view for an old address: a GET is redirected to ``name`` permanently, a POST is handled as at the new one.

    A redirect drops a POST's body, and pages loaded before an upgrade still post to the old address.
    """

    def answer(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            return view(request, **kwargs)
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(reverse(name, kwargs=kwargs) + (f"?{query}" if query else ""))

    answer.csrf_exempt = getattr(view, "csrf_exempt", False)  # type: ignore[attr-defined]
    return answer
