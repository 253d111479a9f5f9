"""Starting an exam afresh: what is removed and kept, the confirmation, and undo."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from practice.handover.afresh import restore
from practice.handover.afresh.forms import ConfirmForm
from practice.handover.afresh.reads import afresh_page
from practice.handover.afresh.start_afresh import start_afresh
from practice.learners.reads.identity import learner_of, owner_of
from practice.learners.views.guards import exam_or_404, own_origin_only
from practice.sessions.errors import AlreadyRunning
from questions.catalogue.models import Exam


@csrf_exempt  # ``_begin`` checks the origin instead, as all forms on learners' pages do
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def afresh(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """What it would mean for this learner; a POST with the exam's code does it."""
    return _begin(request, exam_slug) if request.method == "POST" else _page(request, exam_or_404(exam_slug))


@own_origin_only
def _begin(request: HttpRequest, exam_slug: str) -> HttpResponse:
    exam, owner = exam_or_404(exam_slug), owner_of(request)
    form = ConfirmForm(request.POST, exam=exam)
    if not form.is_valid():
        return _page(request, exam, form, status=400)
    try:
        if owner:
            start_afresh(owner, exam, timezone.now())
    except AlreadyRunning:
        return _page(request, exam, form, status=409)
    return redirect("afresh", exam.slug)


@own_origin_only
def undo(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Bring back what was removed, or say that it's too late."""
    exam, owner = exam_or_404(exam_slug), owner_of(request)
    done = owner is not None and restore.undo(owner, exam, timezone.now())
    if not done:
        return redirect(f"{reverse('afresh', args=[exam.slug])}?said=too-late")
    return redirect(f"{reverse('readiness', args=[exam.slug])}?said=restored")


def _page(request: HttpRequest, exam: Exam, form: ConfirmForm | None = None, status: int = 200) -> HttpResponse:
    context = {
        "page": afresh_page(exam, learner_of(request), timezone.now()),
        "exam": exam,
        "exam_slug": exam.slug,
        "place": "progress",
        "form": form or ConfirmForm(exam=exam),
        "said": request.GET.get("said", ""),
    }
    return render(request, "practice/afresh.html", context, status=status)
