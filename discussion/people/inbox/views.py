"""An author's inbox."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from discussion.moderation.views.access import numbers
from discussion.people.inbox.mark import mark_read
from discussion.people.inbox.reads import inbox_page
from discussion.threads.views.access import is_fragment


@never_cache
@require_safe
@login_required
def inbox(request: HttpRequest) -> HttpResponse:
    """One's own waiting comments, and decisions."""
    page = inbox_page(request.user.pk or 0, timezone.now(), request.GET.get("page", ""))
    return render(request, "discussion/people/inbox.html", {"page": page})


@never_cache
@require_POST
@login_required
def read(request: HttpRequest) -> HttpResponse:
    """Mark what a page has shown as read; with JavaScript, the page sends this when it opens."""
    mark_read(numbers(request.POST.get("notices", "")), request.user.pk or 0, timezone.now())
    return HttpResponse() if is_fragment(request) else redirect("inbox")
