"""If an account is deleted during one of its requests, the request ends at the sign-in page, whatever error it met."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.contrib.auth import logout
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from courseiva.accounts.models import User, UserGone
from courseiva.serving.views.outages import database_is_away
from practice.learners.errors import AccountGone

logger = logging.getLogger("courseiva.accounts")
ANSWERED = (Http404, PermissionDenied, SuspiciousOperation, BadRequest)
SCRIPTS = {"error": "You’ve been signed out.", "login": True}


def send_to_sign_in(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: an error for somebody whose account is gone becomes the sign-in page, or 403 for a script.

    Their rows can disappear between any two statements, so no list of possible errors would be complete. The database
    has refused everything the request wrote, as a whole.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, AccountGone | UserGone) and not is_gone(request, error):
            return None
        logger.info("a request met the end of its account: %s", type(error).__name__)
        logout(request)
        if request.content_type == "application/json":
            return JsonResponse(SCRIPTS, status=403)
        return redirect("account_login")

    middleware.process_exception = process_exception  # type: ignore[attr-defined]
    return middleware


def is_gone(request: HttpRequest, error: Exception) -> bool:
    """Whether the request began signed in to an account that has since been deleted. Only checked before a 500."""
    if isinstance(error, ANSWERED) or database_is_away(error) or not request.user.is_authenticated:
        return False
    return not User.objects.filter(pk=request.user.pk).exists()
