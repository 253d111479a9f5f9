"""Results of a finished session, its questions one by one, and the history of all sessions."""

from __future__ import annotations

import csv
from collections.abc import Callable
from functools import wraps
from html import unescape
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from courseiva.common.texts.spreadsheet_formulas import is_formula
from practice.learners.reads.identity import learner_of
from practice.sessions.models import PracticeSession
from practice.sessions.player.views.access import with_session
from practice.sessions.reads.history import history_page
from practice.sessions.results.reads.changes import item_changes
from practice.sessions.results.reads.results import export_rows, results_page
from practice.sessions.results.rules import picture


def once_finished(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Redirect a session that is still running back to its page."""

    @wraps(view)
    def guarded(request: HttpRequest, session: PracticeSession, **kwargs: Any) -> HttpResponse:
        return view(request, session, **kwargs) if session.finished_at else redirect("session", session.uuid)

    return guarded


@never_cache
@require_GET
@with_session
@once_finished
def results(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """The result."""
    page = results_page(session, request.GET.get("show", "all"))
    context = {"page": page, "session": session, "exam": session.exam, "place": "progress"}
    return render(request, "practice/results.html", context)


@never_cache
@require_GET
@with_session
def item_changes_page(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """Changes to a question since it was answered."""
    page = item_changes(session, position)
    if page is None:
        raise Http404
    context = {"page": page, "position": position, "session": session, "exam": session.exam, "place": "progress"}
    return render(request, "practice/item_changes.html", context)


@never_cache
@require_GET
@with_session
@once_finished
def results_csv(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """The result as a table; spreadsheets can't read any cell as a formula."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"{session.exam.slug}-{session.started_at:%Y-%m-%d}-{session.mode}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    rows = export_rows(results_page(session))
    csv.writer(response).writerows([[plain_cell(cell) for cell in row] for row in rows])
    return response


@never_cache
@require_GET
@with_session
@once_finished
def results_picture(request: HttpRequest, session: PracticeSession) -> HttpResponse:
    """The result as a picture: score and marked sheet, nothing that identifies the learner or a question."""
    page = results_page(session)
    if not page.is_shared:
        raise Http404
    words = render_to_string("practice/share.txt", {"page": page, "session": session, "exam": session.exam})
    lines = unescape(words).splitlines()
    response = HttpResponse(
        picture(lines, [row.mark for row in page.rows], settings.SITE_NAME), content_type="image/png"
    )
    response["Content-Disposition"] = f'attachment; filename="{session.exam.slug}-result.png"'
    return response


def plain_cell(value: object) -> str:
    """Text that no spreadsheet executes: anything that starts like a formula gets a leading apostrophe."""
    text = "" if value is None else str(value)
    return f"'{text}" if is_formula(text) else text


@never_cache
@require_GET
def history(request: HttpRequest) -> HttpResponse:
    page = history_page(learner_of(request), request.GET.get("page", "1"), timezone.now())
    context = {"page": page, "place": "progress", "forgotten": request.GET.get("said") == "forgotten"}
    return render(request, "practice/history.html", context)
