"""Imports in the admin: the list, each one's page, and undoing one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from questions.formats.batches.reads import batch_page, find_batch
from questions.formats.batches.views import export
from questions.formats.intake.jobs import MOST_NOTES
from questions.formats.intake.reads.undoing import undoing
from questions.formats.intake.take_in import BATCH
from questions.formats.intake.undo import undo
from questions.formats.models import ImportJob
from questions.formats.rules.registry import title_of
from questions.versions.errors import NotNow

ADDS = "questions.add_question"
AGAIN_SECONDS = 3
"""The page loads itself again while an import runs, so that people see its progress."""
SHOWN = 200
"""Enough to see what undoing would remove; the counts above are of all."""


class FormatFilter(admin.AllValuesFieldListFilter):
    """The formats of past imports, under the names that the import form gives them."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield {**choice, "display": title_of(str(choice["display"]))}


@admin.register(ImportJob)
class ImportJobAdmin(admin.ModelAdmin):
    """Every import: who sent it, when, and the outcome of its items."""

    list_display = ["file", "exam", "format_name", "who", "made_at", "state", "results"]
    list_display_links = None
    list_filter = ["state", "exam", ("format", FormatFilter)]
    list_select_related = ["exam", "by"]
    list_per_page = 50
    search_fields = ["source"]

    def get_urls(self) -> list[URLPattern]:
        """Our pages before Django's own, whose URL pattern would match them."""
        guard = self.admin_site.admin_view
        return [
            path("batches/<int:batch_id>/", guard(self.batch_page), name="questions_import_job"),
            path("batches/<int:batch_id>/undo/", guard(self.undo_page), name="questions_import_undo"),
            path("export/", guard(require_POST(export)), name="questions_export"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportJob]:
        """Without the files, which can be megabytes."""
        return super().get_queryset(request).defer("content", "notes", "matching")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(ADDS)

    def has_view_permission(self, request: HttpRequest, obj: ImportJob | None = None) -> bool:
        return request.user.has_perm(ADDS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only through the import page."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: ImportJob | None = None) -> bool:
        """Records don't change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ImportJob | None = None) -> bool:
        """An import is undone, never deleted."""
        return False

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        """The import's own page."""
        if not object_id.isdecimal():
            raise Http404
        return redirect("admin:questions_import_job", int(object_id))

    def batch_page(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        """An import's result or, while it runs, its progress, which a script keeps up to date."""
        batch = self._batch(request, batch_id)
        facts = {
            "page": batch_page(batch, request.GET.get("page", "1")),
            "job": batch,
            "format": title_of(batch.format),
            "seconds": 0 if batch.is_over else AGAIN_SECONDS,
            "most_notes": MOST_NOTES,
            "batch": BATCH,
        }
        return self._page(request, "batch", f"Import of {batch.source}", facts)

    def undo_page(self, request: HttpRequest, batch_id: int) -> HttpResponse:
        """Preview an undo, then do exactly that."""
        batch = self._batch(request, batch_id)
        if request.method == "POST":
            by: Any = request.user
            try:
                undo(batch.pk, request.POST.get("stamp", ""), by, timezone.now())
            except NotNow as error:
                messages.error(request, str(error), error.code)
                return redirect("admin:questions_import_undo", batch.pk)
            messages.success(request, "Import undone.", "undone")
            return redirect("admin:questions_import_job", batch.pk)
        facts = {"job": batch, "undoing": undoing(batch), "most": SHOWN}
        return self._page(request, "undo", f"Undo the import of {batch.source}", facts)

    @admin.display(description="file", ordering="source")
    def file(self, batch: ImportJob) -> str:
        return format_html('<a href="{}">{}</a>', reverse("admin:questions_import_job", args=[batch.pk]), batch.source)

    @admin.display(description="format", ordering="format")
    def format_name(self, batch: ImportJob) -> str:
        return title_of(batch.format)

    @admin.display(description="by", ordering="by")
    def who(self, batch: ImportJob) -> str:
        return str(batch.by.get_full_name()) if batch.by else ""

    @admin.display(description="results")
    def results(self, batch: ImportJob) -> str:
        return ", ".join(f"{number} {result}" for result, number in sorted(batch.counts.items()))

    def _batch(self, request: HttpRequest, batch_id: int) -> ImportJob:
        if not request.user.has_perm(ADDS):
            raise PermissionDenied
        try:
            return find_batch(batch_id)
        except ImportJob.DoesNotExist:
            raise Http404 from None

    def _page(self, request: HttpRequest, name: str, title: str, facts: dict[str, Any]) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": title, **facts}
        return TemplateResponse(request, f"admin/questions/importjob/{name}.html", context)
