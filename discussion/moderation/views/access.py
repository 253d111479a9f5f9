"""Access for moderators only, and what their pages share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from discussion.comments.errors import DiscussionError
from discussion.comments.models.moderation import LogEntry
from discussion.moderation.reads.desk import remember_desk
from discussion.moderation.reads.filters import Wanted, wanted_of
from discussion.trust.reads import is_moderator

View = Callable[..., HttpResponse]
JSON = "application/json"


def moderators_only(view: View) -> View:
    """Ask visitors to sign in; anyone else without the permission gets a 404."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            is_read = request.method in {"GET", "HEAD"}
            return redirect_to_login(request.get_full_path() if is_read else reverse("moderation"))
        if not is_moderator(request.user, timezone.now()):
            raise Http404
        remember_desk(request.user.pk)
        return view(request, *args, **kwargs)

    return guarded


def moderator(request: HttpRequest) -> AbstractBaseUser:
    """The requesting moderator; only behind ``moderators_only``."""
    return cast(AbstractBaseUser, request.user)


def wants_data(request: HttpRequest) -> bool:
    """Whether the page's script asks; it shows the answer itself."""
    return request.headers.get("Accept") == JSON


def numbers(text: str) -> list[int]:
    """The numbers in a comma-separated list; anything else is ignored."""
    return [int(part) for part in text.split(",")[:100] if part.isascii() and part.isdecimal() and len(part) <= 18]


def wanted(request: HttpRequest) -> Wanted:
    """The queue's filters: from the URL, or from the page a form was sent from."""
    return wanted_of(QueryDict(request.POST.get("view", "")) if request.method == "POST" else request.GET)


def to_queue(entries: Iterable[LogEntry], view: str = "") -> HttpResponse:
    """Back to the filtered queue, which offers to undo these actions."""
    done = ",".join(str(entry.pk) for entry in entries)
    query = [view, f"done={done}" if done else ""]
    return redirect("?".join(filter(None, [reverse("moderation"), "&".join(filter(None, query))])))


def to_log(query: str) -> HttpResponse:
    """To the filtered log."""
    return redirect(reverse("moderation-log") + (f"?{query}" if query else ""))


def tell_refused(request: HttpRequest, refused: Mapping[int, DiscussionError]) -> None:
    """Say on the next page what wasn't done, each reason once."""
    for words, error in {str(error): error for error in refused.values()}.items():
        messages.warning(request, f"That didn’t work: {words}", extra_tags=error.code)
