"""Importing in the admin: look first what a file gives, then keep its items as drafts."""

from __future__ import annotations

import io
import secrets
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone

from questions.formats.columns.views import columns_page
from questions.formats.errors import ImportRefused
from questions.formats.forms import AUTO, ImportForm
from questions.formats.intake.jobs import MOST_NOTES, Upload, begin_job
from questions.formats.intake.take_in import BATCH, LEFT_ALONE, REFUSED, Target, import_items
from questions.formats.models import ImportedItem, ImportJob
from questions.formats.rules.detection import detect
from questions.formats.rules.items import BadFile, Item, Skipped
from questions.formats.rules.reading.archives import is_archive
from questions.formats.rules.registry import format_named, read_items
from questions.versions.pictures.reads import picture_limits

ADDS = "questions.add_question"
# How long a file that was looked at waits in the cache for its import.
KEPT_SECONDS = 1800
SHOWN = 200
# What one request reads and stores; more goes to a worker. The quickest format gives a thousand drafts in a second.
BYTES_NOW, PACKED_NOW, ENTRIES_NOW = 1024 * 1024, 128 * 1024, 1000
LATEST, AGAIN_SECONDS = 10, 3


@dataclass
class Look:
    """What a file gives: its format, the items taken and those skipped with their reasons, and the way to its text."""

    title: str
    token: str
    format: str
    taken: list[Item] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    is_large: bool = False

    @property
    def shown(self) -> list[Item]:
        """The first of the items; a page of thousands helps nobody."""
        return self.taken[:SHOWN]


@admin.register(ImportedItem)
class ImportedItemAdmin(admin.ModelAdmin):
    """What was imported, to read; and the page that imports."""

    list_display = ["question", "source", "name", "exam", "at"]
    list_filter = ["exam", "source"]
    list_select_related = ["question__exam", "exam"]
    list_per_page = 50
    search_fields = ["name", "source", "question__title"]

    def get_urls(self) -> list[URLPattern]:
        """The importing page before Django's own, whose address would swallow it."""
        guard = self.admin_site.admin_view
        return [
            path("new/", guard(self.import_page), name="questions_import"),
            path("columns/", guard(partial(columns_page, self)), name="questions_import_columns"),
            path("jobs/<int:job_id>/", guard(self.job_page), name="questions_import_job"),
            *super().get_urls(),
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only by the importing page."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: ImportedItem | None = None) -> bool:
        """It is what was."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ImportedItem | None = None) -> bool:
        """A second import would make its draft again."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: ImportedItem | None = None) -> bool:
        return request.user.has_perm(ADDS)

    def import_page(self, request: HttpRequest) -> HttpResponse:
        """Send a file, look what it gives, keep it."""
        if not request.user.has_perm(ADDS):
            raise PermissionDenied
        form = ImportForm(request.POST or None, request.FILES or None, initial={"format": AUTO})
        look = None
        if request.method == "POST" and form.is_valid():
            try:
                token, content, name = _sent(form)
                look = _look(form, token, content, name)
                if "keep" in request.POST:
                    return self._keep(request, form, look, Upload(content, name, look.format, **_place(form)))
                form = ImportForm(initial={**form.cleaned_data, "token": token, "name": name})
            except (BadFile, ImportRefused) as refusal:
                words = f"The file {refusal}" if isinstance(refusal, BadFile) else str(refusal)
                form.add_error("file", ValidationError(words, refusal.code))
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": "Import questions"}
        return TemplateResponse(
            request,
            "admin/questions/importeditem/new.html",
            {**context, "form": form, "look": look, "jobs": ImportJob.objects.defer("content", "notes")[:LATEST]},
        )

    def job_page(self, request: HttpRequest, job_id: int) -> HttpResponse:
        """How far a large import is; the page asks again by itself until it is over."""
        if not request.user.has_perm(ADDS):
            raise PermissionDenied
        job = get_object_or_404(ImportJob.objects.defer("content").select_related("exam"), pk=job_id)
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": f"Import of {job.source}"}
        facts = {"job": job, "seconds": 0 if job.is_over else AGAIN_SECONDS, "most_notes": MOST_NOTES, "batch": BATCH}
        return TemplateResponse(request, "admin/questions/importeditem/job.html", {**context, **facts})

    def _keep(self, request: HttpRequest, form: ImportForm, look: Look, upload: Upload) -> HttpResponse:
        target = Target.of(upload.exam.slug, upload.name, upload.domain)
        if look.is_large:
            by: Any = request.user
            return redirect("admin:questions_import_job", begin_job(upload, by, timezone.now()).pk)
        outcomes = list(import_items(target, look.taken, timezone.now()))
        counts = Counter(outcome.result for outcome in outcomes)
        words = "Drafts: " + ", ".join(f"{n} {result}" for result, n in sorted(counts.items()))
        messages.success(request, words, "drafts")
        for outcome in outcomes:
            if outcome.result in (REFUSED, LEFT_ALONE):
                messages.warning(request, f"Line {outcome.item.line}, {outcome.result}: {outcome.reason}", "not-taken")
        return redirect("admin:questions_importeditem_changelist")


def _sent(form: ImportForm) -> tuple[str, bytes, str]:
    """The file's token, content and name; it is kept for half an hour, for the second step."""
    data = form.cleaned_data
    if data["file"]:
        token, content, name = secrets.token_urlsafe(16), data["file"].read(), data["file"].name
        cache.set(f"import:{token}", content, KEPT_SECONDS)
        return token, content, name
    kept = cache.get(f"import:{data['token']}")
    if kept is None:
        raise ImportRefused("The file is no longer available. Choose it again.", "gone")
    return data["token"], kept, data["name"] or "file"


def _place(form: ImportForm) -> dict[str, Any]:
    data = form.cleaned_data
    return {"exam": data["exam"], "domain": data["domain"].key if data["domain"] else ""}


def _look(form: ImportForm, token: str, content: bytes, name: str) -> Look:
    stream = io.BytesIO(content)
    wanted = form.cleaned_data["format"]
    found = detect(stream, name) if wanted == AUTO else format_named(wanted)
    most = PACKED_NOW if is_archive(stream) else BYTES_NOW
    look = Look(found.title, token, found.name, is_large=len(content) > most)
    if look.is_large:
        return look
    for number, each in enumerate(read_items(found, stream, picture_limits())):
        if number == ENTRIES_NOW:
            look.is_large = True
            break
        if isinstance(each, Item):
            look.taken.append(each)
        else:
            look.skipped.append(each)
    return look
