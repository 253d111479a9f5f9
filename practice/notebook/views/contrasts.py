"""The verdict on an answered variant, with the learner's note and star. Works without JavaScript."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from practice.learners.views.guards import own_origin_or_token
from practice.notebook.forms import NoteForm
from practice.notebook.keep import keep_note, set_star
from practice.notebook.reads.chains import chain_of_variant
from practice.sessions.errors import NotYours
from practice.sessions.models import PracticeSession
from practice.sessions.player.reads.contrasts import answered_variant, marked_page
from practice.sessions.player.views.access import owner_or_404, with_session


@never_cache
@require_GET
@with_session
def contrast_answer(request: HttpRequest, session: PracticeSession, position: int, answer: uuid.UUID) -> HttpResponse:
    """The verdict, what made the difference, and the notebook."""
    return _page(request, session, position, answer)


@own_origin_or_token
@never_cache
@require_POST
@with_session
def contrast_note(request: HttpRequest, session: PracticeSession, position: int, answer: uuid.UUID) -> HttpResponse:
    """Store the note on the variant; one that is too long is returned as typed."""
    _answered_or_404(session, position, answer)
    form = NoteForm(request.POST)
    if not form.is_valid():
        return _page(request, session, position, answer, form)
    text = form.cleaned_data["text"]
    try:
        keep_note(owner_or_404(request), answer, 1, text, timezone.now())
    except NotYours as error:
        raise Http404 from error
    return _back(session, position, answer, "note" if text else "no-note")


@own_origin_or_token
@never_cache
@require_POST
@with_session
def contrast_star(request: HttpRequest, session: PracticeSession, position: int, answer: uuid.UUID) -> HttpResponse:
    """Star the variant, or remove the star."""
    _answered_or_404(session, position, answer)
    on = request.POST.get("on") == "1"
    try:
        set_star(owner_or_404(request), answer, 1, on, timezone.now())
    except NotYours as error:
        raise Http404 from error
    return _back(session, position, answer, "star" if on else "no-star")


def _answered_or_404(session: PracticeSession, position: int, answer: uuid.UUID) -> None:
    if answered_variant(session, position, answer) is None:
        raise Http404


def _back(session: PracticeSession, position: int, answer: uuid.UUID, said: str) -> HttpResponse:
    address = reverse("contrast-answer", args=[session.uuid, position, answer])
    return redirect(f"{address}?said={said}#notebook-{position}")


def _page(
    request: HttpRequest, session: PracticeSession, position: int, answer: uuid.UUID, form: NoteForm | None = None
) -> HttpResponse:
    page = marked_page(session, position, answer)
    if page is None or page.breakdown is None:
        raise Http404
    chain = chain_of_variant(session, position, answer, page.breakdown, page.more, timezone.now())
    context = {
        "page": page,
        "session": session,
        "exam": session.exam,
        "place": "progress" if session.finished_at else "practise",
        "answer": answer,
        "chain": chain,
        "note_form": form,
        "said": request.GET.get("said", ""),
    }
    return render(request, "practice/contrast.html", context, status=400 if form else 200)
