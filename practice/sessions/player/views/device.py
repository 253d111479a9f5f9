"""What a browser keeps of a running session, so that a reload without a network gives the same page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from practice.learners.reads.identity import set_device_key
from practice.sessions.models import PracticeSession
from practice.sessions.player.reads.page import session_page
from practice.sessions.player.views.access import owner_or_404, with_session


@never_cache
@require_safe
@with_session
def device_page(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """The page as kept by the device: prompts only.

    It comes with its encryption key. 410 if there is nothing to keep.
    """
    if not session.is_open or session.paused_at is not None:
        return HttpResponse("This session is not running.", status=410, content_type="text/plain")
    page = session_page(session, timezone.now(), prompts_alone=True)
    context = {"page": page, "session": session, "exam": session.exam, "on_device": True}
    response = render(request, "practice/session.html", context)
    set_device_key(response, owner_or_404(request))
    return response


@require_safe
@cache_control(no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its URL is its scope: pages of sessions and nothing else on the site."""
    return render(request, "practice/worker.js", content_type="text/javascript; charset=utf-8")


@never_cache
@require_safe
def app(request: HttpRequest) -> HttpResponse:
    """Where the installed app opens: within the worker's scope, so that it opens without a network too."""
    return redirect("home")
