"""The progress page of an exam, and how the real exam went."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from practice.learners.models import Outcome
from practice.learners.reads.identity import Owner, learner_of
from practice.learners.views.guards import exam_or_404, guide_or_404, own_origin_only, with_guest
from practice.notebook.forms import OutcomeForm, PlanForm
from practice.readiness.plan.tell_outcome import tell_outcome
from practice.readiness.reads.page import readiness_page
from practice.sessions.errors import NotPossible


@never_cache
@require_safe
def readiness(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Today's prediction, the next step, and the evidence."""
    return render_readiness(request, exam_slug)


@own_origin_only
@with_guest
def outcome(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Store how the real exam went, without the name."""
    exam, form = exam_or_404(exam_slug), OutcomeForm(request.POST)
    if not form.is_valid():
        return render_readiness(request, exam.slug, status=400)
    told = form.cleaned_data["outcome"]
    try:
        tell_outcome(owner, exam, told, timezone.now())
    except NotPossible:
        return redirect("readiness", exam.slug)
    said = "not-passed" if told == Outcome.NOT_PASSED else "told"
    return redirect(f"{reverse('readiness', args=[exam.slug])}?said={said}")


def render_readiness(
    request: HttpRequest, exam_slug: str, form: PlanForm | None = None, status: int = 200
) -> HttpResponse:
    """The page, with the plan's form as submitted."""
    page = readiness_page(guide_or_404(exam_slug), learner_of(request), timezone.now())
    known = page.found.plan if page.found else None
    initial = {"exam_date": known.exam_date, "minutes_a_day": known.minutes_a_day} if known else {}
    context = {
        "page": page,
        "exam": page.exam,
        "exam_slug": page.exam.slug,
        "place": "progress",
        "plan_form": form or PlanForm(initial=initial),
        "outcomes": Outcome.choices,
        "said": request.GET.get("said", ""),
    }
    return render(request, "practice/readiness.html", context, status=status)
