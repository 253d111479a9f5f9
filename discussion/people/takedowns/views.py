"""The public form, its receipt, and the moderators' pages. Never cached: they contain personal forms."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courseiva.common.page_cache import site_address
from discussion.comments.errors import DiscussionError, TooMany
from discussion.moderation.views.access import moderator, moderators_only
from discussion.people.takedowns.forms import TakedownAnswerForm, TakedownForm
from discussion.people.takedowns.reads import find_takedown, one_takedown, takedowns_page
from questions.reports.reads.reporters import reporter_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_takedown(request: HttpRequest) -> HttpResponse:
    """The form and its submission; no account needed."""
    form, status = TakedownForm(request.POST or None), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                made = form.save(reporter_of(request), timezone.now())
            except DiscussionError as error:
                form.add_error(None, ValidationError(str(error), error.code))
                status = 429 if isinstance(error, TooMany) else 400
            else:
                return redirect("takedown", made.token)
    return render(request, "discussion/people/takedown_form.html", {"form": form}, status=status)


@never_cache
@require_safe
def takedown(request: HttpRequest, token: uuid.UUID) -> HttpResponse:
    """The receipt, for anyone with its URL: the request and the answer. It doesn't show who asked."""
    row = find_takedown(token)
    if row is None:
        raise Http404
    context = {"row": row, "address": site_address(request) + request.path}
    return render(request, "discussion/people/takedown.html", context)


@require_safe
@moderators_only
def takedowns(request: HttpRequest) -> HttpResponse:
    """All requests, waiting ones first."""
    context = {"page": takedowns_page(request.GET.get("page", "")), "place": "takedowns"}
    return render(request, "discussion/people/takedowns.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@moderators_only
def answer(request: HttpRequest, takedown_id: int) -> HttpResponse:
    """One request, and its answer."""
    row, status = one_takedown(takedown_id), 200
    if row is None:
        raise Http404
    form = TakedownAnswerForm(request.POST or None)
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                form.save(takedown_id, moderator(request), timezone.now())
            except DiscussionError as error:
                form.add_error(None, ValidationError(str(error), error.code))
            else:
                messages.success(request, "Answer sent.", extra_tags="takedown-answered")
                return redirect("moderation-takedowns")
    context = {"row": row, "form": form, "place": "takedowns"}
    return render(request, "discussion/people/takedown_answer.html", context, status=status)
