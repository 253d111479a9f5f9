"""The plan as a calendar: its address, and its content."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courseiva.common.page_cache import site_address
from practice.learners.models import ExamPlan
from practice.learners.reads.identity import Owner
from practice.learners.views.guards import exam_or_404, own_origin_only, with_guest
from practice.readiness.plan.feed.keep import set_feed
from practice.readiness.plan.feed.reads import PlanFeed, plan_feed
from practice.readiness.plan.feed.rules import Event, calendar_text
from practice.readiness.plan.forms import FeedForm
from practice.readiness.plan.rules import Day

CALENDAR = "text/calendar; charset=utf-8"


@own_origin_only
@with_guest
def keep_feed(request: HttpRequest, exam_slug: str, owner: Owner) -> HttpResponse:
    """Open the address, renew it, or close it."""
    exam, form = exam_or_404(exam_slug), FeedForm(request.POST)
    on = form.is_valid() and not form.cleaned_data["close"]
    said = ("calendar" if on else "no-calendar") if set_feed(owner, exam, on) else ""
    return redirect(f"{reverse('plan', args=[exam.slug])}?said={said}#calendar")


@never_cache
@require_safe
def calendar(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """A plan's days for calendar programs. The address is secret, so no sign-in is needed."""
    now, base = timezone.now(), site_address(request)
    try:
        feed = plan_feed(token, now)
    except ExamPlan.DoesNotExist:
        raise Http404 from None
    name = render_to_string("practice/calendar/name.txt", {"exam": feed.exam}).strip()
    response = HttpResponse(calendar_text(name, _events(feed, base), now), content_type=CALENDAR)
    response["Content-Disposition"] = f'inline; filename="{feed.exam.slug}-plan.ics"'
    response["X-Robots-Tag"] = "noindex"
    return response


def _events(feed: PlanFeed, base: str) -> list[Event]:
    host, url = base.partition("://")[2], base + reverse("plan", args=[feed.exam.slug])
    return [_event(feed, day, host, url) for day in feed.days]


def _event(feed: PlanFeed, day: Day, host: str, url: str) -> Event:
    words = {"day": day, "exam": feed.exam}
    return Event(
        uid=f"plan-{feed.plan.pk}-{day.date:%Y%m%d}@{host}",
        date=day.date,
        summary=render_to_string("practice/calendar/summary.txt", words).strip(),
        description=render_to_string("practice/calendar/description.txt", words).strip(),
        url=url,
    )
