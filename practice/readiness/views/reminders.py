"""Reminder emails: the weekdays, and the unsubscribe link."""

from __future__ import annotations

import uuid

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from practice.learners.reads.identity import Owner
from practice.learners.views.guards import exam_or_404, own_origin_only
from practice.readiness.plan.forms import RemindersForm
from practice.readiness.plan.reminders.keep import set_reminders, stop_reminders


@own_origin_only
def keep_reminders(request: HttpRequest, exam_slug: str) -> HttpResponse:
    """Store the weekdays. Only accounts have an email address."""
    exam, form = exam_or_404(exam_slug), RemindersForm(request.POST)
    if not request.user.is_authenticated:  # back to the page with the form: this address has no GET
        return redirect_to_login(reverse("plan", args=[exam.slug]))
    weekdays = form.cleaned_data["weekdays"] if form.is_valid() else None
    said = ""
    if weekdays is not None and set_reminders(Owner(user_id=request.user.pk), exam, weekdays):
        said = "reminders" if weekdays else "no-reminders"
    return redirect(f"{reverse('plan', args=[exam.slug])}?said={said}#reminders")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """Unsubscribe by token. A mail program POSTs here by itself; a GET asks first, because scanners follow links.

    The token is the proof, so neither a sign-in nor a CSRF token is needed.
    """
    if request.method == "POST":
        stop_reminders(token)
    return render(request, "practice/unsubscribe.html", {"is_done": request.method == "POST"})
