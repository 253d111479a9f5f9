"""Forgetting a guest in this browser."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from practice.handover.forget import forget
from practice.learners.reads.identity import drop_guest_cookie, learner_of
from practice.learners.views.guards import own_origin_only


@own_origin_only
def forget_guest(request: HttpRequest) -> HttpResponse:
    """Forget this browser's guest and delete the cookie; accounts are deleted elsewhere, with a password."""
    if request.user.is_authenticated:
        return redirect("account_delete")
    learner = learner_of(request)
    if learner:
        forget(learner.pk, timezone.now())
    return drop_guest_cookie(redirect(f"{reverse('history')}?said=forgotten"))
