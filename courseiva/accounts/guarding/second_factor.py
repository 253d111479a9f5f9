"""Staff need a second factor to open the admin; those without one are sent to set it up."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

_admin = cache(partial(reverse, "admin:index"))  # looked up once: every request comes through here
_sign_out = cache(partial(reverse, "admin:logout"))


def ask_for_second_factor(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: staff without a second factor are sent to set one up, whatever admin page they asked for.

    Staff who have one were asked for it when signing in. Signing out is always possible.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.STAFF_SECOND_FACTOR and request.path.startswith(_admin()) and request.path != _sign_out():
            user = request.user
            if user.is_authenticated and user.is_staff and not is_mfa_enabled(user):
                return redirect(reverse("mfa_index", query={"next": "admin"}))
        return get_response(request)

    return middleware
