"""Admin pages that change permissions ask for re-authentication if the last one is over five minutes old."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import admin, messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

TOO_LATE = "It’s more than five minutes since you last confirmed it’s you. Nothing was saved: confirm, then try again."
Method = Callable[..., HttpResponse]


def asks_again(method: Method) -> Method:
    """For an admin page: open to anyone who gave a password, code or passkey just now; others are asked first.

    A form that comes too late is dropped, not kept as allauth would: it may contain a password.
    """

    @wraps(method)
    def asking(page: admin.ModelAdmin, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            answer: HttpResponse = reauthentication_required(lambda _: method(page, request, *args, **kwargs))(request)
        except ReauthenticationRequired:
            if request.method != "POST":
                raise
            messages.warning(request, TOO_LATE, extra_tags="too_late")
            way_back = urlencode({REDIRECT_FIELD_NAME: request.get_full_path()})
            return HttpResponseRedirect(f"{reverse('account_reauthenticate')}?{way_back}")
        return answer

    return asking


class StepUpAdmin(admin.ModelAdmin):
    """Forms, deletions and actions ask for re-authentication; the list doesn't."""

    @asks_again
    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().changeform_view(request, *args, **kwargs)

    @asks_again
    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().delete_view(request, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The list and its actions."""
        return (self._act if request.method == "POST" else super().changelist_view)(request, *args, **kwargs)

    @asks_again
    def _act(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return super().changelist_view(request, *args, **kwargs)
