"""Results of a finished sitting, and the history of all of them."""

from __future__ import annotations

import csv
import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from practice.identity import learner_of
from practice.selectors.history import history_page
from practice.selectors.results import export_rows, results_page
from practice.views.sittings import mine_or_404


@never_cache
@require_GET
def results(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """The result; a sitting that still runs leads back to itself."""
    session = mine_or_404(request, session_uuid)
    if not session.finished_at:
        return redirect("sitting", session_uuid)
    page = results_page(session, request.GET.get("show", "all"))
    context = {"page": page, "session": session, "exam": session.exam, "exam_slug": session.exam.slug}
    return render(request, "practice/results.html", context)


@never_cache
@require_GET
def results_csv(request: HttpRequest, session_uuid: uuid.UUID) -> HttpResponse:
    """The result as a table for a spreadsheet; no cell can be read as a formula."""
    session = mine_or_404(request, session_uuid)
    if not session.finished_at:
        return redirect("sitting", session_uuid)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    name = f"{session.exam.slug}-{session.started_at:%Y-%m-%d}-{session.mode}.csv"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    csv.writer(response).writerows([[plain_cell(cell) for cell in row] for row in export_rows(session)])
    return response


def plain_cell(value: object) -> str:
    """Text that no spreadsheet runs: what starts like a formula gets an apostrophe in front (OWASP, CSV injection)."""
    text = "" if value is None else str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


@never_cache
@require_GET
def history(request: HttpRequest) -> HttpResponse:
    """All sittings of this learner."""
    page = history_page(learner_of(request), request.GET.get("page", "1"))
    return render(request, "practice/history.html", {"page": page, "place": "progress"})
