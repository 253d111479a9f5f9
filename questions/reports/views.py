"""Reporting an error, one report, and all reports of a reader. Never cached: these pages differ by reader."""

from __future__ import annotations

import uuid

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courseiva.common.page_cache import site_address
from questions.reports.errors import ReportError, TooManyReports
from questions.reports.forms import ReportForm
from questions.reports.reads.reporters import reporter_of
from questions.reports.reads.reports import ReportLine, ReportTarget, find_report, my_reports, open_target

EDITS = "questions.change_question"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_report(request: HttpRequest, question_id: int) -> HttpResponse:
    """The form for a public question, and its submission. A reserved question has no such page."""
    target = open_target(question_id, request.GET.get("version", ""))
    if target is None:
        raise Http404
    return take_report(request, target)


def take_report(request: HttpRequest, target: ReportTarget) -> HttpResponse:
    """Show the form, or store the report and go to its receipt; if refused, what was typed is kept."""
    form, status = ReportForm(target), 200
    if request.method == "POST":
        form, status = ReportForm(target, request.POST), 400
        if form.is_valid():
            try:
                made = form.save(reporter_of(request), timezone.now())
            except ReportError as error:
                form.add_error(None, ValidationError(str(error), error.code))
                status = 429 if isinstance(error, TooManyReports) else 400
            else:
                return redirect(reverse("report", args=[made.token]) + target.trail)
    return render(request, "questions/report_form.html", {"form": form, "target": target}, status=status)


@never_cache
@require_safe
def report(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """A report's receipt and outcome: only for its signed-in reporter; a guest's for anyone with the URL."""
    line = find_report(token)
    if line is None:
        raise Http404
    owner = line.report.reporter_id
    if owner and owner != request.user.pk:
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.get_full_path())
    context = {"line": line, "back": _way_back(request, line), "address": site_address(request) + request.path}
    return render(request, "questions/report.html", context)


@never_cache
@require_safe
def reports(request: HttpRequest) -> HttpResponse:
    """One's own reports with their outcomes; editors also get a link to their queue."""
    if not request.user.is_authenticated:
        return render(request, "questions/reports_signed_out.html")
    is_editor = request.user.is_staff and request.user.has_perm(EDITS)
    page = my_reports(request.user.pk, request.GET.get("page", "1"), is_editor)
    return render(request, "questions/reports.html", {"page": page})


def _way_back(request: HttpRequest, line: ReportLine) -> str:
    """The session's question or variant named in the URL; else the public page, if any."""
    named = [request.GET[name] for name in ("session", "item", "variant") if name in request.GET]
    try:
        return reverse("contrast-answer" if "variant" in request.GET else "breakdown", args=named)
    except NoReverseMatch:
        return line.question_url
