"""The page for editing what a family shares, for all its questions at once."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone

from questions.desk import decide as desk
from questions.desk.admin import acts, editor, variants
from questions.desk.errors import Older
from questions.desk.forms.editor import base_of
from questions.desk.forms.family import FamilyEditor, family_editor, new_family
from questions.desk.many.families import NewVariant, begin_family
from questions.desk.reads.editor import choices_of
from questions.desk.reads.family import family_page, members_of
from questions.versions.admin import key_in
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Family, Question
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.family import Shared, shared_of

ADD = "questions.add_question"
NEW = "admin/questions/family/new.html"
TEMPLATE = "admin/questions/family/change_form.html"


@admin.register(Family)
class FamilyAdmin(admin.ModelAdmin):
    """Visible to people who can change questions; a family is deleted with its questions."""

    list_display = ["key", "exam", "size"]
    list_filter = ["exam"]
    search_fields = ["key", "stem"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Family]:
        return super().get_queryset(request).select_related("exam").annotate(size=Count("questions"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        """For people who can change questions."""
        return request.user.has_perm(acts.EDIT)

    def has_view_permission(self, request: HttpRequest, obj: Family | None = None) -> bool:
        return request.user.has_perm(acts.EDIT)

    def has_change_permission(self, request: HttpRequest, obj: Family | None = None) -> bool:
        return request.user.has_perm(acts.EDIT)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """People who can add questions can add families."""
        return request.user.has_perm(acts.EDIT) and request.user.has_perm(ADD)

    def has_delete_permission(self, request: HttpRequest, obj: Family | None = None) -> bool:
        """Questions are retired, not deleted."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """The page for adding a variant, before Django's own, whose URL pattern would match it."""
        view = self.admin_site.admin_view(self.variant)
        return [path("<int:family_id>/variant/", view, name="questions_family_variant"), *super().get_urls()]

    def variant(self, request: HttpRequest, family_id: int) -> HttpResponse:
        """Add a question to a family."""
        editor.refuse(self.has_add_permission(request))
        return variants.in_family(request, family_id, self._around(request))

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A new family from scratch."""
        editor.refuse(self.has_add_permission(request))
        work = editor.begin_work(None, (request.POST or request.GET).get("exam", ""))
        form = new_family(work.choices, request.POST if request.method == "POST" else None)
        if request.method == "POST" and request.POST.get("action") != editor.SHOW and form.is_valid():
            by: Any = request.user
            started = [NewVariant(*each) for each in form.started()]
            try:
                family = begin_family(
                    work.exam, form.shared.cleaned_data["key"], form.typed(), started, by, timezone.now()
                )
            except NotNow as error:
                form.shared.add_error("key", str(error))
            else:
                messages.success(request, "Family saved. Now set the key of each variant.", "family-begun")
                return redirect("admin:questions_family_change", family.pk)
        return TemplateResponse(
            request, NEW, {**self._around(request), "title": "New family", "work": work, "form": form}
        )

    @admin.display(description="questions", ordering="size")
    def size(self, family: Any) -> int:
        """The number of questions, including retired ones."""
        return family.size

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show or save what the family shares."""
        editor.refuse(self.has_change_permission(request))
        members = members_of(key_in(object_id))
        if not members:
            raise Http404
        stored = shared_of(draft_of(members[0]))
        choices = choices_of(members[0].exam)
        if request.method != "POST":
            return self._page(request, members, family_editor(choices, members, stored), members[0].revision)
        form = family_editor(choices, members, stored, request.POST)
        if not form.is_valid():
            return self._page(request, members, form, base_of(request.POST))
        return self._save(request, members, form, stored)

    def _save(self, request: HttpRequest, members: list[Question], form: FamilyEditor, stored: Shared) -> HttpResponse:
        by: Any = request.user
        family_id = members[0].family_id or 0
        try:
            desk.keep_family(family_id, form.typed(stored), base_of(request.POST), by, timezone.now(), form.own())
        except Older as error:
            messages.error(request, str(error))
            return self._page(request, members, form, error.question.revision, HTTPStatus.CONFLICT)
        messages.success(request, "Family saved.")
        return redirect("admin:questions_family_change", family_id)

    def _page(
        self, request: HttpRequest, members: list[Question], form: FamilyEditor, base: int, status: int = HTTPStatus.OK
    ) -> HttpResponse:
        context = {
            **self._around(request),
            "title": members[0].family.key if members[0].family else "",
            "members": family_page(members),
            "form": form,
            "base": base,
        }
        return TemplateResponse(request, TEMPLATE, context, status=status)

    def _around(self, request: HttpRequest) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts, "is_nav_sidebar_enabled": False}
