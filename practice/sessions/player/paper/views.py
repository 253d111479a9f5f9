"""The booklet to print, and the page for typing in its answer sheet."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from practice.learners.views.guards import own_origin_or_token
from practice.sessions.errors import NotOpen, NotYours, OlderWriter
from practice.sessions.models import PracticeSession
from practice.sessions.player import save as saving
from practice.sessions.player.forms import form_state
from practice.sessions.player.paper.forms import Typed, read_sheet
from practice.sessions.player.paper.reads import booklet_of, is_on_paper, takes_typing, typed_sheet
from practice.sessions.player.views.access import owner_or_404, with_session
from practice.sessions.player.views.page import mine_or_404_post, written_elsewhere


@never_cache
@require_GET
@with_session
def booklet(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """The printable session. It includes the key once the session is over."""
    if not is_on_paper(session):
        return redirect("session", session.uuid)
    place = "progress" if session.finished_at else "practise"
    context = {"booklet": booklet_of(session), "session": session, "exam": session.exam, "place": place}
    return render(request, "practice/booklet.html", context)


@own_origin_or_token
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Type in the answer sheet of a running session. A POST saves the whole sheet without JavaScript."""
    try:
        return save_sheet(request, session_uuid) if request.method == "POST" else show_sheet(request, session_uuid)
    except NotYours as error:  # it was theirs when the request began
        raise Http404 from error


@with_session
def show_sheet(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """The sheet with the server's answers."""
    if not takes_typing(session):
        return redirect("session", session.uuid)
    return _render(request, session)


def save_sheet(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Save every readable row; show the others again as typed, or go on to submit."""
    session = mine_or_404_post(request, session_uuid)
    if isinstance(session, HttpResponse):
        return session
    typed, take = read_sheet(session, request.POST), "take_over" in request.POST
    owner, writer, now = owner_or_404(request), form_state(request.POST), timezone.now()
    try:
        saved = saving.save_page(session_uuid, owner, writer, typed.states, now, take)
    except OlderWriter:
        return written_elsewhere(request, session, len(typed.states))
    except NotOpen:
        return redirect("session", session_uuid)
    if saved.session.finished_at:
        return redirect("results", session_uuid)
    if typed.wrong:
        session.refresh_from_db()
        return _render(request, session, typed, status=400)
    return redirect("finish" if "finish" in request.POST else "sheet", session_uuid)


def _render(
    request: HttpRequest, session: PracticeSession, typed: Typed | None = None, status: int = 200
) -> HttpResponse:
    page = typed_sheet(session, timezone.now(), typed.wrong if typed else None)
    context = {"page": page, "session": session, "exam": session.exam}
    return render(request, "practice/sheet.html", context, status=status)
