"""The editors' list in the admin, with a box that shows what screening says about a text."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.urls.resolvers import URLPattern
from django.views.decorators.http import require_http_methods, require_safe

from discussion.comments.models.comments import MAX_TEXT
from discussion.screening.hold import site_model
from discussion.screening.models import HAS_WORD, ListEntry
from discussion.screening.reads import records_of_rules
from discussion.screening.rules.parts import REASONS, Context, Listed
from discussion.screening.rules.screen import screen
from discussion.trust.reads import MODERATE
from discussion.trust.rules import Level
from questions.catalogue.models import Exam

EDIT = "questions.change_question"


class TryForm(forms.Form):
    """A text, its author and place; and optionally an entry that isn't on the list yet."""

    text = forms.CharField(max_length=MAX_TEXT, widget=forms.Textarea(attrs={"rows": 6, "cols": 80}))
    level = forms.ChoiceField(
        label="Author", choices=[(each, each) for each in (Level.NEW, Level.KNOWN, Level.TRUSTED)]
    )
    exam = forms.ModelChoiceField(Exam.objects.listed(), required=False, empty_label="All exams")
    kind = forms.ChoiceField(
        label="Kind of new entry", choices=[("", "Choose"), *ListEntry.Kind.choices], required=False
    )
    entry = forms.CharField(label="New entry to try", max_length=100, required=False, validators=[HAS_WORD])

    def clean(self) -> dict[str, Any]:
        """Require a kind for an entry."""
        data = super().clean() or {}
        if data.get("entry") and not data.get("kind"):
            self.add_error("kind", forms.ValidationError("Choose the kind of the new entry.", "required"))
        return data

    def reasons(self) -> list[tuple[str, str, list[str]]]:
        """Rule, its reason, and the words that show it, for each rule that would hold the text."""
        given = self.cleaned_data
        listed = ListEntry.objects.for_exam(given["exam"]).as_listed()
        if given["entry"]:
            listed += (Listed(given["kind"], given["entry"]),)
        found: dict[str, list[str]] = {}
        for hit in screen(given["text"], Context(Level(given["level"]), listed=listed, model=site_model())):
            found.setdefault(hit.rule, []).append(given["text"][hit.start : hit.end])
        return [(rule, REASONS[rule], words) for rule, words in found.items()]


@admin.register(ListEntry)
class ListEntryAdmin(admin.ModelAdmin):
    list_display = ("text", "kind", "exam")
    list_filter = ("kind", "exam")
    search_fields = ("text",)
    change_list_template = "admin/discussion/listentry/change_list.html"

    def get_urls(self) -> list[URLPattern]:
        """Our own pages first: the last of Django's patterns matches any name."""
        box = require_http_methods(["GET", "HEAD", "POST"])(self.try_text)
        rules = require_safe(self.rules)
        return [
            path("try/", self.admin_site.admin_view(box), name="discussion_listentry_try"),
            path("rules/", self.admin_site.admin_view(rules), name="discussion_listentry_rules"),
            *super().get_urls(),
        ]

    def rules(self, request: HttpRequest) -> HttpResponse:
        """How often moderators agreed with each rule."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = {
            **self.admin_site.each_context(request),
            "title": "Rules and decisions",
            "records": records_of_rules(),
        }
        return TemplateResponse(request, "admin/discussion/listentry/rules.html", context)

    def try_text(self, request: HttpRequest) -> HttpResponse:
        """What screening says about a text. Nothing is stored."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = TryForm(request.POST or None)
        reasons = form.reasons() if form.is_valid() else None
        context = {**self.admin_site.each_context(request), "title": "Test a comment", "form": form, "reasons": reasons}
        return TemplateResponse(request, "admin/discussion/listentry/try.html", context)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """For people who write questions or moderate."""
        return request.user.has_perm(EDIT) or request.user.has_perm(MODERATE)

    has_change_permission = has_delete_permission = has_view_permission

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)
