"""The account's own page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@never_cache
@require_safe
def account_home(request: HttpRequest) -> HttpResponse:
    """Who is signed in and what can be changed; for others, what an account is good for."""
    return render(request, "account/index.html")
