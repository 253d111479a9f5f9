from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from practice.notebook.reads.items import item_page
from practice.sessions.models import PracticeSession
from practice.sessions.player.views.access import with_session
from practice.sessions.reads.breakdown import is_withheld


@never_cache
@require_GET
@with_session
def breakdown(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """One marked question: a fragment for an opened row of the results, or its own page."""
    page = item_page(session, position, request.GET.get("show", "all"), timezone.now())
    if page is None:
        return _withheld(request, session, position)
    context = {"page": page, "session": session, "exam": session.exam, "said": request.GET.get("said", "")}
    context["place"] = "progress" if session.finished_at else "practise"
    template = "practice/_marked_item.html" if request.headers.get("HX-Request") else "practice/breakdown.html"
    return render(request, template, context)


def _withheld(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """Why a question of a result has no solution yet; 404 for any other that can't be shown."""
    if not is_withheld(session, position):
        raise Http404
    context = {"session": session, "exam": session.exam, "position": position, "place": "progress"}
    return render(request, "practice/withheld.html", context)
