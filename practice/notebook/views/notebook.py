"""The private note and the star on a marked question."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from practice.learners.views.guards import own_origin_or_token
from practice.notebook.forms import NoteForm
from practice.notebook.keep import keep_note, set_star
from practice.notebook.reads.items import item_page
from practice.notebook.views.ways import way_back
from practice.sessions.errors import NotYours
from practice.sessions.models import PracticeSession
from practice.sessions.player.views.access import owner_or_404, with_session


@own_origin_or_token
@never_cache
@require_POST
@with_session
def note(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """Store the note; one that is too long is returned as typed."""
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _answer(request, session, position, form=form, status=400)
    text = form.cleaned_data["text"]
    try:
        item = keep_note(owner_or_404(request), session.uuid, position, text, timezone.now())
    except NotYours as error:
        raise Http404 from error
    return _answer(request, item.session, position, said="note" if text else "no-note")


@own_origin_or_token
@never_cache
@require_POST
@with_session
def star(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """Star the question, or remove the star."""
    on = request.POST.get("on") == "1"
    try:
        item = set_star(owner_or_404(request), session.uuid, position, on, timezone.now())
    except NotYours as error:
        raise Http404 from error
    return _answer(request, item.session, position, said="star" if on else "no-star")


def _answer(
    request: HttpRequest,
    session: PracticeSession,
    position: int,
    said: str = "",
    form: NoteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The notebook fragment for a page with JavaScript; else back to the question's page, or that page with the
    error."""
    fragment, show = request.headers.get("HX-Request"), request.POST.get("show", "")
    if not fragment and form is None:
        return redirect(way_back(session, position, show, said, "notebook"))
    page = item_page(session, position, show, timezone.now())
    if page is None:
        raise Http404
    context = {"page": page, "session": session, "exam": session.exam, "said": said, "note_form": form}
    context["chain"] = page.chain
    return render(request, "practice/_keep.html" if fragment else "practice/breakdown.html", context, status=status)
