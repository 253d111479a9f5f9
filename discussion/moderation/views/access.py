"""Moderators alone get in; what every page of theirs shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, cast

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from discussion.comments.models.moderation import LogEntry
from discussion.trust.reads import is_moderator

View = Callable[..., HttpResponse]
JSON = "application/json"


def moderators_only(view: View) -> View:
    """Whoever is not signed in is asked to; for anybody else there is no such page."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            is_read = request.method in {"GET", "HEAD"}
            return redirect_to_login(request.get_full_path() if is_read else reverse("moderation"))
        if not is_moderator(request.user, timezone.now()):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded


def moderator(request: HttpRequest) -> AbstractBaseUser:
    """Who asks; only behind ``moderators_only``."""
    return cast(AbstractBaseUser, request.user)


def wants_data(request: HttpRequest) -> bool:
    """Whether the page's script asks, which shows the answer itself."""
    return request.headers.get("Accept") == JSON


def numbers(text: str) -> list[int]:
    """The numbers of a list with commas; what is none is left out."""
    return [int(part) for part in text.split(",")[:100] if part.isascii() and part.isdecimal() and len(part) <= 18]


def to_queue(entries: Iterable[LogEntry], *, only_mine: bool = False) -> HttpResponse:
    """Back to the queue, which offers to undo these acts."""
    query = ["show=mine"] if only_mine else []
    done = ",".join(str(entry.pk) for entry in entries)
    query += [f"done={done}"] if done else []
    return redirect(reverse("moderation") + ("?" + "&".join(query) if query else ""))
