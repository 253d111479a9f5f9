"""The check: its start, and its questions one at a time, with or without script."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from practice.learners.reads.identity import Owner
from practice.learners.views.guards import exam_or_404, own_origin_only, own_origin_or_token, with_guest
from practice.readiness.check.ask import answer_check
from practice.readiness.check.ask import start_check as start
from practice.readiness.check.forms import answer_in
from practice.readiness.check.reads.page import check_page
from practice.sessions.errors import NotOpen, NotPossible, TooFewQuestions
from practice.sessions.models import Mode, PracticeSession
from practice.sessions.player.views.access import owner_or_404, with_session


@own_origin_only
@with_guest
def start_check(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Start a check; if the bank has no unseen question, go to the hub, which has other drills."""
    try:
        session = start(owner, exam_or_404(exam_slug), timezone.now())
    except TooFewQuestions:
        return redirect("hub", exam_slug)
    return redirect("check-question", session.uuid)


@own_origin_or_token
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def question(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """GET shows the current question; POST answers it and redirects to the next one, or to the result."""
    if request.method == "POST":
        return _answer(request, session)
    return _show(request, session)


def _answer(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    state = answer_in(request.POST)
    try:
        session = answer_check(session.uuid, owner_or_404(request), state, timezone.now())
    except NotOpen:
        return redirect("session", session.uuid)
    except NotPossible as error:
        return _show(request, session, error=error, chosen=state.selected, status=400)
    return redirect("results" if session.finished_at else "check-question", session.uuid)


def _show(
    request: HttpRequest,
    session: PracticeSession,
    error: NotPossible | None = None,
    chosen: tuple[int, ...] = (),
    status: int = 200,
) -> HttpResponse:
    page = check_page(session, chosen) if session.mode == Mode.CHECK and session.is_open else None
    if page is None:
        return redirect("session", session.uuid)
    context = {"page": page, "session": session, "exam": session.exam, "error": error, "place": "practise"}
    return render(request, "practice/check.html", context, status=status)
