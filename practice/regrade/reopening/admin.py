"""Reopening a session that a wrong clock closed: find it, check it, reopen it; and the list of reopened ones."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from practice.regrade.reopening.forms import FindForm, ReopeningForm
from practice.regrade.reopening.models import Reopening
from practice.regrade.reopening.reads import reopening_page, session_to_reopen
from practice.regrade.reopening.reopen import Wish, reopen
from practice.sessions.errors import NotPossible
from practice.sessions.models import PracticeSession


@admin.register(Reopening)
class ReopeningAdmin(admin.ModelAdmin):
    """A read-only list. Adding asks for the session first, and shows it before anything is done."""

    list_display = ["session", "minutes", "reason", "made_by", "made_at", "was_finished_at", "result"]
    list_select_related = ["session", "made_by"]
    list_per_page = 50

    def has_change_permission(self, request: HttpRequest, obj: Reopening | None = None) -> bool:
        """Reopenings stay on record."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Reopening | None = None) -> bool:
        """Reopenings stay on record."""
        return False

    @admin.display(description="result before")
    def result(self, row: Reopening) -> str:
        return f"{row.was_score} of {row.was_total}"

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Without a session in the address, ask for one; with one, show it, then reopen it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        find = FindForm(request.GET or None)
        session = self._found(find)
        if session is None:
            return self._page(request, find=find)
        page = reopening_page(session, timezone.now())
        form = ReopeningForm(page.times.most, request.POST or None, initial={"minutes": page.left})
        if request.method == "POST" and form.is_valid():
            wish = Wish(form.cleaned_data["minutes"], form.cleaned_data["reason"])
            try:
                reopen(session.pk, wish, cast(AbstractBaseUser, request.user), timezone.now())
            except NotPossible as refusal:
                form.add_error(None, ValidationError(str(refusal), refusal.code))
            else:
                messages.success(request, "Session reopened. It stays paused until the learner resumes it.")
                return redirect("admin:practice_reopening_changelist")
        return self._page(request, find=find, page=page, form=form)

    def _found(self, find: FindForm) -> PracticeSession | None:
        if not find.is_bound or not find.is_valid():
            return None
        try:
            return session_to_reopen(find.cleaned_data["session"])
        except PracticeSession.DoesNotExist:
            find.add_error("session", ValidationError("There’s no session with this number.", "no-such-session"))
            return None

    def _page(self, request: HttpRequest, **context: Any) -> HttpResponse:
        everywhere = {**self.admin_site.each_context(request), "opts": self.opts, "title": "Reopen a session"}
        return TemplateResponse(request, "admin/practice/reopening/reopen.html", {**everywhere, **context})
