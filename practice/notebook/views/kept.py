"""The notebook's pages: its entries, its export, highlights and flashcards."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from practice.learners.reads.identity import Owner, learner_of
from practice.learners.views.guards import exam_or_404, own_origin_only, own_origin_or_token, with_guest
from practice.notebook.forms import KnewForm, NotebookForm, WordsForm
from practice.notebook.highlight import drop_highlight, highlight_module, highlight_stem
from practice.notebook.reads.items import item_page
from practice.notebook.reads.kept import kept_page
from practice.notebook.reads.modules import find_module
from practice.notebook.views.ways import way_back
from practice.reviews.turn import turn_card
from practice.sessions.errors import NotPossible, NotYours
from practice.sessions.models import PracticeSession
from practice.sessions.player.views.access import owner_or_404, with_session
from practice.start.reads.cards import cards_page
from questions.catalogue.models import StudyModule


@never_cache
@require_safe
def notebook(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Notes, starred questions and highlights by domain, filtered and searched; ``whole`` is for printing."""
    exam = exam_or_404(exam_slug)
    form = NotebookForm(request.GET)
    page = kept_page(exam, learner_of(request), form.choice(), request.GET.get("page", "1"), timezone.now())
    context = {
        "page": page,
        "exam": exam,
        "exam_slug": exam.slug,
        "place": "practise",
        "kinds": form.kinds(page.counts),
    }
    context |= {"query": form.query(), "said": request.GET.get("said", "")}
    return render(request, "practice/notebook.html", context)


@never_cache
@require_safe
def export(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The same selection as Markdown."""
    exam = exam_or_404(exam_slug)
    choice = NotebookForm(request.GET).choice(whole=True)
    page = kept_page(exam, learner_of(request), choice, "1", timezone.now())
    context = {"page": page, "exam": exam}
    response = render(request, "practice/notebook.md", context, content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{exam.slug}-notebook.md"'
    return response


@own_origin_or_token
@never_cache
@require_POST
@with_session
def highlight(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """Highlight words of a marked question's stem; then return the notebook fragment, or go back."""
    form, show = WordsForm(request.POST), request.POST.get("show", "")
    said = "no-words"
    try:
        if form.is_valid():
            highlight_stem(owner_or_404(request), session.uuid, position, form.cleaned_data["words"], timezone.now())
            said = "words"
    except NotYours as error:
        raise Http404 from error
    except NotPossible:
        pass  # if the words aren't in the text, the message stays "no-words"
    if not request.headers.get("HX-Request"):
        return redirect(way_back(session, position, show, said, "notebook"))
    page = item_page(session, position, show, timezone.now())
    if page is None:
        raise Http404
    return render(request, "practice/_keep.html", {"chain": page.chain, "session": session, "said": said})


@own_origin_only
@with_guest
def module_highlight(request: HttpRequest, exam_slug: str, number: int, owner: Owner) -> HttpResponse:
    """Highlight words of a study module; then go to the notebook entry, or a page that says why not."""
    exam, form = exam_or_404(exam_slug), WordsForm(request.POST)
    try:
        module = StudyModule.objects.get(pk=find_module(exam_slug, number).pk)
    except (StudyModule.DoesNotExist, OverflowError) as error:
        raise Http404 from error
    is_kept = form.is_valid()
    try:
        if is_kept:
            highlight_module(owner, module, form.cleaned_data["words"], timezone.now())
    except NotPossible:
        is_kept = False
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204 if is_kept else 400)
    return redirect(reverse("notebook", args=[exam.slug]) + ("?kind=highlights" if is_kept else "?said=no-words"))


@own_origin_only
def highlight_drop(request: HttpRequest, exam_slug: str, highlight_id: int) -> HttpResponse:
    """Delete one's own highlight."""
    drop_highlight(owner_or_404(request), highlight_id)
    return redirect(reverse("notebook", args=[exam_or_404(exam_slug).slug]) + "?kind=highlights&said=dropped")


@never_cache
@require_safe
def cards(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """The next flashcard of the day."""
    exam = exam_or_404(exam_slug)
    page = cards_page(exam, learner_of(request), timezone.now())
    context = {"page": page, "exam": exam, "exam_slug": exam.slug, "place": "practise"}
    return render(request, "practice/flashcards.html", context)


@own_origin_only
def turn(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Record whether the card was known; then the next one, even if the card is gone meanwhile."""
    exam, form = exam_or_404(exam_slug), KnewForm(request.POST)
    owner = owner_or_404(request)
    try:
        if form.is_valid():
            turn_card(owner, exam, form.cleaned_data["card"], form.cleaned_data["knew"] == "yes", timezone.now())
    except NotYours as error:
        raise Http404 from error
    return redirect("flashcards", exam.slug)
