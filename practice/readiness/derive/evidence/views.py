"""The public page of the trial, and the switch to leave it."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from courseiva.common.heads.head import text_head
from courseiva.common.heads.links import Link
from courseiva.common.page_cache import public_page, site_address
from practice.learners.reads.identity import Owner, learner_of
from practice.learners.views.guards import exam_or_404, own_origin_only, with_guest
from practice.readiness.derive.evidence.reads import evidence_page
from practice.readiness.derive.evidence.take_part import take_part
from questions.pages.reads.machines.heads import to_exam


@public_page
def evidence(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """What the trial found, or how far it has got; the same for every visitor."""
    exam = exam_or_404(exam_slug)
    title = f"Do variants help with {exam.code}?"
    description = f"A trial of variants after missed {exam.code} questions: the plan and the result."
    trail = [*to_exam(exam), Link("Evidence", request.path)]
    context = {
        "page": evidence_page(exam),
        "exam": exam,
        "exam_slug": exam.slug,
        "place": "progress",
        "head": text_head(site_address(request), title, description, trail, exam=exam),
    }
    return render(request, "practice/evidence.html", context)


@csrf_exempt  # ``_switch`` checks the origin instead, as all forms on learners' pages do
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest) -> HttpResponse:
    """Whether the requester takes part; a POST changes it."""
    if request.method == "POST":
        return _switch(request)
    learner = learner_of(request)
    context = {
        "takes_part": learner is None or learner.in_trial,
        "is_running": settings.EVIDENCE,
        "said": request.GET.get("said", ""),
    }
    return render(request, "practice/trial.html", context)


@own_origin_only
@with_guest
def _switch(request: HttpRequest, owner: Owner) -> HttpResponse:
    on = request.POST.get("on") == "1"
    take_part(owner, on, timezone.now())
    return redirect(f"{reverse('trial')}?said={'in' if on else 'out'}")
