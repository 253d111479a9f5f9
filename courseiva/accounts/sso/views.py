"""Redirecting to the provider, and its callback."""

from __future__ import annotations

import logging

from allauth.socialaccount import views as allauth_views
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.openid_connect import views as oidc_views
from allauth.utils import get_request_param
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from requests import RequestException

logger = logging.getLogger("courseiva.accounts")
signup = never_cache(allauth_views.signup)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest, provider_id: str) -> HttpResponse:
    """GET asks for confirmation; POST leaves for the provider through a page that continues by itself.

    Not through a redirect: browsers check the whole chain after a form against our form-action, and we can't know where
    a provider redirects.
    """
    if get_request_param(request, "process", AuthProcess.LOGIN) != AuthProcess.LOGIN:
        raise Http404
    try:
        response = oidc_views.login(request, provider_id)
    except RequestException as error:
        return _away(request, error)
    if response.status_code != 302:
        return response
    return render(request, "socialaccount/leave.html", {"to": response.url, "name": settings.OIDC["name"]})


@never_cache
@require_safe
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    """Back from the provider, with a code that is exchanged for an identity.

    This GET writes, as the protocol requires.
    """
    try:
        return oidc_views.callback(request, provider_id)
    except RequestException as error:
        return _away(request, error)


@never_cache
@require_safe
def cancelled(request: HttpRequest) -> HttpResponse:
    return allauth_views.login_cancelled(request)


def _away(request: HttpRequest, error: RequestException) -> HttpResponse:
    """The page shown if the provider doesn't respond, or its response is invalid."""
    logger.warning("the OpenID provider can't be asked: %s", type(error).__name__)
    return render(request, "socialaccount/authentication_error.html", {"is_away": True}, status=503)
