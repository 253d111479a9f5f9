"""Outages in the admin, and entering one that the server couldn't notice."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from practice.sessions.ending.outages.forms import OutageForm
from practice.sessions.ending.outages.give_back import enter, refuse_unlikely
from practice.sessions.ending.outages.models import Outage
from practice.sessions.ending.outages.reads import loss_of, with_credits
from practice.sessions.errors import NotPossible


@admin.register(Outage)
class OutageAdmin(admin.ModelAdmin):
    """A read-only list. Learners already have the time given back, so nothing is changed or deleted."""

    list_display = ["began_at", "ended_at", "noticed_by", "reason", "sessions", "most_given"]
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Outage]:
        """Adds how much each gave back."""
        return with_credits(super().get_queryset(request))

    def has_change_permission(self, request: HttpRequest, obj: Outage | None = None) -> bool:
        """Outages stay on record."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Outage | None = None) -> bool:
        """Outages stay on record."""
        return False

    @admin.display(description="noticed by")
    def noticed_by(self, row: Outage) -> str:
        """The server, or the person who entered it."""
        return str(row.made_by) if row.made_by else "the server"

    @admin.display(description="sessions given time")
    def sessions(self, row: Outage) -> int:
        return row.sessions  # type: ignore[attr-defined]

    @admin.display(description="most given, minutes")
    def most_given(self, row: Outage) -> str:
        return f"{(row.most or 0) / 60:.0f}"  # type: ignore[attr-defined]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Preview what an outage would give back, then record it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form, loss, now = OutageForm(request.POST or None), None, timezone.now()
        if request.method == "POST" and form.is_valid():
            try:
                if "confirm" in request.POST:
                    return self._entered(request, form)
                refuse_unlikely(form.span(), now)
                loss = loss_of(form.span())
            except NotPossible as refusal:
                form.add_error(None, ValidationError(str(refusal), refusal.code))
        context = {
            **self.admin_site.each_context(request), "opts": self.opts, "title": "Record an outage", "form": form,
            "loss": loss,
        }  # fmt: skip
        return TemplateResponse(request, "admin/practice/outage/enter.html", context)

    def _entered(self, request: HttpRequest, form: OutageForm) -> HttpResponse:
        by = cast(AbstractBaseUser, request.user)
        outage = enter(form.span(), form.cleaned_data["reason"], by, timezone.now())
        given = outage.credits.count()
        messages.success(request, f"Outage recorded. Sessions that were given time back: {given}.")
        return redirect("admin:practice_outage_changelist")
