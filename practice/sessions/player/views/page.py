"""The session's page, which works without JavaScript, and the pages around its end."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from practice.learners.reads.identity import Owner, owner_of
from practice.learners.views.guards import own_origin_or_token
from practice.sessions.ending.finish import discard, finish
from practice.sessions.errors import NotOpen, NotPossible, NotYours, OlderWriter
from practice.sessions.models import Mode, PracticeSession
from practice.sessions.player import save as saving
from practice.sessions.player.check import check
from practice.sessions.player.forms import changed_states, form_state, small_number
from practice.sessions.player.reads.page import SessionPage, session_of, session_page
from practice.sessions.player.views.access import login_ended, owner_or_404, with_session


@own_origin_or_token
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def session(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """The running session, or its results once over. A POST saves the whole page without JavaScript."""
    try:
        return save_form(request, session_uuid) if request.method == "POST" else show(request, session_uuid)
    except NotYours as error:  # it was theirs when the request began
        raise Http404 from error


@with_session
def show(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """The page of a running, finished or discarded session."""
    if session.discarded_at:
        return render(request, "practice/discarded.html", {"session": session, "exam": session.exam})
    if session.finished_at:
        return redirect("results", session.uuid)
    if session.mode == Mode.CHECK:
        return redirect("check-question", session.uuid)
    if session.mode == Mode.TAKEN:
        return redirect("taken")
    response = _render(request, session_page(session, timezone.now()))
    if session.paused_at is None:
        response.headers["Session-State"] = "running"  # otherwise the worker drops its copy of the page
    return response


def _render(request: HttpRequest, page: SessionPage, **extra: Any) -> HttpResponse:
    context = {"page": page, "session": page.session, "exam": page.session.exam, **extra}
    return render(request, "practice/session.html", context)


def save_form(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Save what this page changed, then come back to the same place, or go on to the finish page or a check."""
    session = mine_or_404_post(request, session_uuid)
    if isinstance(session, HttpResponse):
        return session
    owner = owner_or_404(request)
    states = changed_states(session, request.POST)
    take = "take_over" in request.POST
    try:
        saved = saving.save_page(session_uuid, owner, form_state(request.POST), states, timezone.now(), take)
    except OlderWriter:
        return written_elsewhere(request, session, len(states))
    except NotOpen:
        return redirect("session", session_uuid)
    if saved.session.finished_at:
        return redirect("results", session_uuid)
    return _after_save(request, saved.session, owner)


def mine_or_404_post(request: HttpRequest, session_uuid: uuid.UUID) -> PracticeSession | HttpResponse:
    """The session to save into; if the login ended, a page that keeps what was typed."""
    try:
        return session_of(session_uuid, owner_of(request))
    except NotYours as error:
        if login_ended(request, session_uuid):
            context = {"fields": _fields(request), "back": request.path}
            return render(request, "practice/signed_out.html", context, status=403)
        raise Http404 from error


def written_elsewhere(request: HttpRequest, session: PracticeSession, count: int) -> HttpResponse:
    """A newer page has saved: this one's ``count`` answers are still sent if the learner says so."""
    context = {"session": session, "exam": session.exam, "count": count, "back": request.path}
    context["fields"] = _fields(request)
    return render(request, "practice/take_over.html", context, status=409)


def _fields(request: HttpRequest) -> list[tuple[str, str]]:
    hidden = ("csrfmiddlewaretoken", "take_over")
    return [(name, value) for name, values in request.POST.lists() if name not in hidden for value in values]


def _after_save(request: HttpRequest, session: PracticeSession, owner: Owner) -> HttpResponse:
    place = small_number(request.POST.get("place", "")) or 1
    if "finish" in request.POST:
        return redirect("finish", session.uuid)
    if "pause" in request.POST:
        return _pause(session.uuid, owner)
    for name, reveal in (("check", False), ("reveal", True)):
        if name in request.POST:
            return _check_form(request, session, owner, small_number(request.POST[name]), reveal)
    return redirect(f"{session.get_absolute_url()}#q{place}")


def _pause(session_uuid: uuid.UUID, owner: Owner) -> HttpResponse:
    try:
        saving.pause(session_uuid, owner, timezone.now())
    except NotPossible as error:
        return HttpResponse(str(error), status=400, content_type="text/plain")
    return redirect("session", session_uuid)


def _check_form(
    request: HttpRequest, session: PracticeSession, owner: Owner, position: int, reveal: bool
) -> HttpResponse:
    state = changed_states(session, request.POST, only=position)
    try:
        if state:
            check(session.uuid, owner, state[0], None, timezone.now(), reveal)
    except (NotPossible, NotOpen) as error:
        page = session_page(session, timezone.now())
        return _render(request, page, error=error, error_at=position)
    return redirect(f"{session.get_absolute_url()}#q{position}")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def finish_session(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """GET lists what is unanswered; POST submits."""
    if not session.is_open:
        return redirect("session", session.uuid)
    if request.method == "POST":
        try:
            finish(session.uuid, owner_or_404(request), timezone.now())
        except NotYours as error:
            raise Http404 from error
        except NotOpen:
            return redirect("session", session.uuid)
        return redirect("results", session.uuid)
    page = session_page(session, timezone.now())
    return render(request, "practice/finish.html", {"page": page, "session": session, "exam": session.exam})


@never_cache
@require_POST
def pause_session(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """Pause or resume a pausable mock."""
    try:
        step = saving.resume if "resume" in request.POST else saving.pause
        step(session_uuid, owner_or_404(request), timezone.now())
    except NotYours as error:
        raise Http404 from error
    except (NotPossible, NotOpen) as error:
        return HttpResponse(str(error), status=400, content_type="text/plain")
    return redirect("session", session_uuid)


@never_cache
@require_POST
def discard_session(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    try:
        session = discard(session_uuid, owner_or_404(request), timezone.now())
    except NotYours as error:
        raise Http404 from error
    if session.mode == Mode.MOCK and session.discarded_at:
        return redirect("mock", session.exam.slug)
    return redirect("session", session_uuid)
