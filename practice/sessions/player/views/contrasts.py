"""The page that asks a variant; it works without JavaScript. The verdict, with note and star, is the notebook's."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from practice.sessions.errors import NotPossible, NotYours
from practice.sessions.models import PracticeSession
from practice.sessions.player.contrast import answer_contrast
from practice.sessions.player.forms import small_number
from practice.sessions.player.reads.contrasts import ContrastPage, asking_page, next_variant
from practice.sessions.player.views.access import owner_or_404, with_session


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@with_session
def contrast(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """GET asks the next variant of a marked question; POST answers or declines the current one."""
    if request.method == "POST":
        return _answer(request, session, position)
    variant = next_variant(session, position)
    if variant is None:
        raise Http404
    return _render(request, session, asking_page(session, position, variant, ()))


def _answer(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    question_id, error = small_number(request.POST.get("variant", "")), ""
    slots = [slot for slot in map(small_number, request.POST.getlist("slot")) if slot]
    if not slots and "reveal" not in request.POST:
        error = "Choose an answer first, or show the answer."
    try:
        if not error:
            chosen = [] if "reveal" in request.POST else slots
            made = answer_contrast(owner_or_404(request), session, position, question_id, chosen, timezone.now())
            return redirect("contrast-answer", session.uuid, position, made.uuid)
    except NotPossible as refusal:
        error = str(refusal)
    except NotYours as refusal:
        raise Http404 from refusal
    variant = next_variant(session, position, question_id)
    if variant is None:
        raise Http404
    return _render(request, session, asking_page(session, position, variant, slots), error=error, status=400)


def _render(
    request: HttpRequest, session: PracticeSession, page: ContrastPage, error: str = "", status: int = 200
) -> HttpResponse:
    context = {"page": page, "session": session, "exam": session.exam, "error": error}
    context["place"] = "progress" if session.finished_at else "practise"
    return render(request, "practice/contrast.html", context, status=status)
