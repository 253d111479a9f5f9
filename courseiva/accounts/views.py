"""The account page, and deletion: what it means, the confirmation, the goodbye page."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courseiva.accounts.changes.delete import StaffStays, delete_own_account
from courseiva.accounts.forms import DeletionForm, NameForm, ZoneForm
from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner, drop_guest_cookie, learner_of


@never_cache
@require_safe
def account_home(request: HttpRequest) -> HttpResponse:
    """Who is signed in and what they can change; for others, what an account is good for."""
    learner = learner_of(request) if request.user.is_authenticated else None
    return render(request, "account/index.html", {"learner": learner})


@never_cache
@require_safe
def account_who(request: HttpRequest) -> HttpResponse:
    """The account link in the header, fetched by pages that are the same for all. No query for anonymous visitors."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES
    return render(request, "components/who_is.html", None if known else {"user": None})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account_name(request: HttpRequest) -> HttpResponse:
    user = get_object_or_404(User, pk=request.user.pk)
    form = NameForm(user, request.POST or None)
    if not form.is_valid():
        return render(request, "account/name.html", {"form": form}, status=400 if form.is_bound else 200)
    form.save()
    messages.success(request, f"Others now see you as “{user.public_name}”.", extra_tags="renamed")
    return redirect("account_home")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def account_zone(request: HttpRequest) -> HttpResponse:
    """Choose the time zone for days and times."""
    form = ZoneForm(learner_of(request), request.POST or None)
    if not form.is_valid():
        return render(request, "account/zone.html", {"form": form}, status=400 if form.is_bound else 200)
    form.save(Owner(user_id=request.user.pk), timezone.now())
    messages.success(request, "Time zone saved.", extra_tags="zone_saved")
    return redirect("account_home")


@never_cache
@require_safe
@login_required
def account_delete(request: HttpRequest) -> HttpResponse:
    """What is deleted and what is kept, with the link to confirm; staff see who can delete their account for them."""
    return render(request, "account/delete.html")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required
def account_delete_confirm(request: HttpRequest) -> HttpResponse:
    """Delete the account once its address is typed in. Asks for re-authentication as allauth's pages do."""
    user = get_object_or_404(User, pk=request.user.pk)
    form = DeletionForm(user.email, request.POST or None)
    if not form.is_valid():
        status = 400 if form.is_bound else 200
        return render(request, "account/delete_confirm.html", {"form": form}, status=status)
    try:
        delete_own_account(user, timezone.now())
    except StaffStays:
        return redirect("account_delete")
    logout(request)
    return drop_guest_cookie(redirect("account_deleted"))


@never_cache
@require_safe
def account_deleted(request: HttpRequest) -> HttpResponse:
    """The goodbye page, shown signed out."""
    return render(request, "account/deleted.html")
