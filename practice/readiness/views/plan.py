"""The learner's plan: its page, its settings, and sections marked as read there."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from courseiva.common.page_cache import site_address
from practice.learners.enrol import remember_time_zone
from practice.learners.reads.identity import Owner, learner_of
from practice.learners.views.guards import exam_or_404, own_origin_only, with_guest
from practice.notebook.forms import PlanForm
from practice.notebook.plan import set_plan
from practice.notebook.reads.plans import PlanLimits, plan_limits
from practice.readiness.plan.forms import RemindersForm, SectionsForm
from practice.readiness.plan.mark_sections import mark_sections
from practice.readiness.plan.reads import PlanPage, plan_page
from practice.readiness.plan.reminders.rules import weekdays_of
from practice.readiness.views.page import render_readiness
from questions.catalogue.models import Exam


@csrf_exempt  # ``keep_plan`` checks the origin instead, as all forms on learners' pages do
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def plan(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Day by day until the exam; a POST stores its date and the minutes a day."""
    return keep_plan(request, exam_slug) if request.method == "POST" else render_plan(request, exam_or_404(exam_slug))


@own_origin_only
@with_guest
def keep_plan(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Store both, and go back to the page the form was on."""
    exam, now, told = exam_or_404(exam_slug), timezone.now(), request.POST.get("zone", "")
    limits, is_plan_page = plan_limits(owner, exam, told, now), request.POST.get("to") == "plan"
    form = PlanForm(request.POST, limits=limits)
    if not form.is_valid():
        if is_plan_page:
            return render_plan(request, exam, form, status=400)
        return render_readiness(request, exam.slug, form, status=400)
    data = form.cleaned_data
    kept = set_plan(owner, exam, data["exam_date"], data["minutes_a_day"], now)
    remember_time_zone(kept.learner_id, told)
    if is_plan_page:
        return redirect(f"{reverse('plan', args=[exam.slug])}?{urlencode({'said': 'plan', **_former(limits)})}")
    return redirect(f"{reverse('readiness', args=[exam.slug])}?said=plan#plan")


@own_origin_only
@with_guest
def plan_read(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Mark sections as read, or as unread with ``off``."""
    exam, form = exam_or_404(exam_slug), SectionsForm(request.POST)
    if not form.is_valid():
        return redirect("plan", exam.slug)
    on = not form.cleaned_data["off"]
    sections = mark_sections(owner, exam, form.cleaned_data["section"], on, timezone.now())
    if not sections:
        return redirect("plan", exam.slug)
    said = [("said", "read" if on else "unread"), *(("section", f"{number}:{anchor}") for number, anchor in sections)]
    return redirect(f"{reverse('plan', args=[exam.slug])}?{urlencode(said)}#today")


def render_plan(request: HttpRequest, exam: Exam, form: PlanForm | None = None, status: int = 200) -> HttpResponse:
    """The page, with ``said`` as what was just done and how to undo it."""
    page = plan_page(exam, learner_of(request), timezone.now())
    initial = {"exam_date": page.plan.exam_date, "minutes_a_day": page.plan.minutes_a_day} if page.plan else {}
    context = {
        "page": page,
        "exam": exam,
        "exam_slug": exam.slug,
        "place": "practise",
        "plan_form": form or PlanForm(initial=initial),
        "said": request.GET.get("said", ""),
        "former": {"exam_date": request.GET.get("date", ""), "minutes_a_day": request.GET.get("minutes", "")},
        "sections": request.GET.getlist("section"),
        "reminders_form": RemindersForm(initial={"weekdays": weekdays_of(page.plan.remind_on) if page.plan else []}),
        "feed_address": _feed_address(request, page),
    }
    return render(request, "practice/plan.html", context, status=status)


def _feed_address(request: HttpRequest, page: PlanPage) -> str:
    token = page.plan.feed_token if page.plan else None
    return site_address(request) + reverse("plan-calendar", args=[token]) if token else ""


def _former(limits: PlanLimits) -> dict[str, object]:
    """The previous values, for undo. A date that has passed can't be set again."""
    date = limits.known if limits.known and limits.known >= limits.today else None
    return {name: value for name, value in (("date", date), ("minutes", limits.minutes)) if value}
