"""Importing in the admin: first preview a file, then store its items as drafts."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone

from questions.formats.columns.views import columns_page
from questions.formats.errors import ImportRefused
from questions.formats.forms import AUTO, ImportForm
from questions.formats.intake.jobs import SKIPPED, Upload, begin_job, import_now
from questions.formats.intake.reads.levels import Levels, levels_of
from questions.formats.intake.reads.plan import CHANGED, DIFFERS, NEW, Planned, plan
from questions.formats.intake.reads.target import Target, name_of
from questions.formats.intake.sent import Sent, sent
from questions.formats.intake.take_in import BATCH
from questions.formats.models import ImportedItem, ImportJob
from questions.formats.rules.detection import detect
from questions.formats.rules.items import BadFile, Item, Skipped
from questions.formats.rules.reading.archives import is_archive
from questions.formats.rules.registry import format_named, read_items
from questions.lint.rules import Completeness
from questions.versions.material.pictures.reads import picture_limits

ADDS = "questions.add_question"
SHOWN = 200
# The most items that one request reads and stores; a worker handles larger files. The fastest format gives 1,000 drafts
# a second.
BYTES_NOW, PACKED_NOW, ENTRIES_NOW = 1024 * 1024, 128 * 1024, 1000
LATEST = 10
"""For people coming back to see how their import went; a separate list has all of them."""


@dataclass
class Look:
    """A file's preview: its format, the items read and those skipped with reasons, and the token for its text.

    ``planned`` says what each item would become here.
    """

    title: str
    token: str
    format: str
    taken: list[Item] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    is_large: bool = False
    planned: list[Planned] = field(default_factory=list)
    levels: Levels | None = None

    @property
    def shown(self) -> list[tuple[Planned, Completeness | None]]:
        """The first items, with how complete the drafts are; a page of thousands helps nobody."""
        levels = self.levels.of if self.levels else {}
        return [(each, levels.get(id(each))) for each in self.planned[:SHOWN]]

    @property
    def drafts(self) -> int:
        """How many drafts would be created or updated without asking."""
        return sum(each.result in (NEW, CHANGED) for each in self.planned)

    @property
    def counts(self) -> list[tuple[str, int]]:
        """How many items there are of each result."""
        return sorted(Counter(each.result for each in self.planned).items())

    @property
    def differing(self) -> list[Planned]:
        """The existing questions that differ."""
        return [each for each in self.planned if each.result == DIFFERS]

    @property
    def compared(self) -> list[Planned]:
        """The differing questions whose differences the page shows."""
        return self.differing[:SHOWN]

    @property
    def bases(self) -> str:
        """The previewed revisions, for the form."""
        return " ".join(each.base for each in self.differing)


@admin.register(ImportedItem)
class ImportedItemAdmin(admin.ModelAdmin):
    """A read-only list of imported items, and the import page."""

    list_display = ["question", "source", "name", "exam", "at"]
    list_filter = ["exam", "source"]
    list_select_related = ["question__exam", "exam"]
    list_per_page = 50
    search_fields = ["name", "source", "question__title"]

    def get_urls(self) -> list[URLPattern]:
        """Put the import page before Django's own, whose URL pattern would match it."""
        guard = self.admin_site.admin_view
        return [
            path("new/", guard(self.import_page), name="questions_import"),
            path("columns/", guard(partial(columns_page, self)), name="questions_import_columns"),
            *super().get_urls(),
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only through the import page."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: ImportedItem | None = None) -> bool:
        """Records don't change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ImportedItem | None = None) -> bool:
        """A second import would create its draft again."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: ImportedItem | None = None) -> bool:
        return request.user.has_perm(ADDS)

    def import_page(self, request: HttpRequest) -> HttpResponse:
        """Upload a file, preview it, store it."""
        if not request.user.has_perm(ADDS):
            raise PermissionDenied
        form = ImportForm(request.POST or None, request.FILES or None, initial={"format": AUTO})
        look = None
        if request.method == "POST" and form.is_valid():
            try:
                file = sent(form.cleaned_data)
                look = _look(form, file)
                if "keep" in request.POST:
                    upload = Upload(
                        file.content, file.name, look.format, **_place(form), choice=form.choice(look.is_large)
                    )
                    return self._keep(request, look, upload)
                facts = {"token": file.token, "name": file.name, "bases": look.bases}
                form = ImportForm(initial={**form.cleaned_data, **facts})
            except (BadFile, ImportRefused) as refusal:
                words = f"The file {refusal}" if isinstance(refusal, BadFile) else str(refusal)
                form.add_error("file", ValidationError(words, refusal.code))
        context = {**self.admin_site.each_context(request), "opts": self.opts, "title": "Import questions"}
        return TemplateResponse(
            request,
            "admin/questions/importeditem/new.html",
            {**context, "form": form, "look": look, "jobs": ImportJob.objects.defer("content", "notes")[:LATEST]},
        )

    def _keep(self, request: HttpRequest, look: Look, upload: Upload) -> HttpResponse:
        by: Any = request.user
        job = (begin_job if look.is_large else import_now)(upload, by, timezone.now())
        if job.is_over:
            kept = sorted((result, n) for result, n in job.counts.items() if result != SKIPPED)
            words = "Drafts: " + (", ".join(f"{n} {result}" for result, n in kept) or "none")
            messages.success(request, words, "drafts")
        return redirect("admin:questions_import_job", job.pk)


def _place(form: ImportForm) -> dict[str, Any]:
    data = form.cleaned_data
    return {"exam": data["exam"], "domain": data["domain"].key if data["domain"] else ""}


def _look(form: ImportForm, file: Sent) -> Look:
    stream = io.BytesIO(file.content)
    wanted = form.cleaned_data["format"]
    found = detect(stream, file.name) if wanted == AUTO else format_named(wanted)
    most = PACKED_NOW if is_archive(stream) else BYTES_NOW
    look = Look(found.title, file.token, found.name, is_large=len(file.content) > most)
    if look.is_large:
        return look
    target = Target.of(form.cleaned_data["exam"].slug, file.name, _place(form)["domain"])
    target.choice = form.choice(is_large=False)
    for number, each in enumerate(read_items(found, stream, picture_limits())):
        if number == ENTRIES_NOW:
            look.is_large = True
            break
        if isinstance(each, Item):
            look.taken.append(each)
        else:
            look.skipped.append(each)
    for start in range(0, len(look.taken), BATCH):
        look.planned += plan(target, [(item, name_of(target, item)) for item in look.taken[start : start + BATCH]])
    look.levels = levels_of(form.cleaned_data["exam"], look.planned)
    return look
