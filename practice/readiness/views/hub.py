"""The practice hub, and the start of a drill or review."""

from __future__ import annotations

import secrets

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from practice.learners.reads.identity import Owner, learner_of
from practice.learners.views.guards import exam_or_404, own_origin_only, with_guest
from practice.readiness.reads.hub import hub_page
from practice.sessions.errors import NothingDue, TooFewQuestions
from practice.start.begin import start_drill
from practice.start.forms import DrillForm
from questions.catalogue.models import Exam


@never_cache
@require_GET
def hub(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Presets first; the choice of one's own is folded, and can come filled from the address."""
    exam = exam_or_404(exam_slug)
    return _render(request, exam, DrillForm.from_address(exam, request.GET))


@own_origin_only
@with_guest
def drill(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Start the drill that was chosen; nothing that fits: the hub again, with the reason."""
    exam = exam_or_404(exam_slug)
    form = DrillForm(exam, request.POST)
    if form.is_valid():
        seed, carry_on = secrets.randbits(48), "carry_on" in request.POST
        try:
            session = start_drill(owner, exam, form.choice(), seed, timezone.now(), carry_on)
        except TooFewQuestions as error:
            form.add_error(None, ValidationError(f"{error} Try fewer filters, or other questions.", error.code))
        except NothingDue as error:
            form.add_error(None, ValidationError(str(error), error.code))
        else:
            place = "#q2" if carry_on and session.total > 1 else ""
            return redirect(f"{session.get_absolute_url()}{place}")
    return _render(request, exam, form, status=400)


def _render(request: HttpRequest, exam: Exam, form: DrillForm, status: int = 200) -> HttpResponse:
    page = hub_page(exam, learner_of(request), timezone.now())
    context = {"page": page, "form": form, "exam": exam, "exam_slug": exam.slug, "place": "practise"}
    return render(request, "practice/hub.html", context, status=status)
