"""Checks before a view runs: our own origin, an owner, an exam."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseForbidden
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_POST

from practice.learners.note_network import note_guest
from practice.learners.reads.identity import (
    Owner,
    guest_token,
    key_of,
    new_token,
    owner_of,
    set_guest_cookie,
)
from practice.learners.reads.networks import network_of
from questions.catalogue.models import BlueprintDomain, Exam
from questions.catalogue.reads import guide_of

View = Callable[..., HttpResponse]


def own_origin_only(view: View) -> View:
    """Accept POSTs only from our own pages, by Sec-Fetch-Site or Origin.

    This replaces the token on pages that are the same bytes for every visitor and so can't contain one. A request that
    names no origin is refused: every current browser sends one with a POST.
    """

    @csrf_exempt
    @never_cache
    @require_POST
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_own_origin(request):
            return HttpResponseForbidden("This form can only be sent from this site’s own pages.")
        return view(request, *args, **kwargs)

    return guarded


def own_origin_or_token(view: View) -> View:
    """Accept a POST from our own pages or with the token; other methods pass.

    Signing in again in another tab changes the token: a page that still has unsaved answers mustn't lose them.
    """
    with_token = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return (view if is_own_origin(request) else with_token)(request, *args, **kwargs)

    return guarded


def is_own_origin(request: HttpRequest) -> bool:
    """Whether the headers say that the request came from this site."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None and site != "same-origin":
        return False
    origin = request.headers.get("Origin")
    if origin is None:
        return site == "same-origin"
    try:
        parts = urlsplit(origin)
    except ValueError:  # an unclosed bracket
        return False
    return (parts.scheme, parts.netloc) == (request.scheme, request.get_host())


def with_guest(view: View) -> View:
    """Give the view an ``owner`` that always exists: this POST makes a visitor a guest.

    The response sets the guest's cookie, or renews it for 180 days.
    """

    @wraps(view)
    def made(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        owner = owner_of(request)
        if owner is not None and owner.user_id:
            return view(request, *args, owner=owner, **kwargs)
        token = guest_token(request)
        if token is None:
            token = new_token()
            note_guest(network_of(request), timezone.now())
        response = view(request, *args, owner=Owner(guest_key=key_of(token)), **kwargs)
        set_guest_cookie(response, token)
        return response

    return made


def exam_or_404(slug: str) -> Exam:
    """The exam, if it can be practised: that needs a current exam guide."""
    return get_object_or_404(Exam, slug=slug, blueprints__is_current=True)


def guide_or_404(slug: str) -> list[BlueprintDomain]:
    """The domains of that exam's current guide, with guide and exam, in one query."""
    found = guide_of(slug=slug)
    if not found:
        raise Http404
    return found
