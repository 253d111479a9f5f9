"""The import page for tables: a file, its columns' roles, a preview, drafts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from questions.formats.columns.forms import ColumnsForm, TableForm
from questions.formats.columns.reads import TableLook, look_at, rows_shown, sheets_of
from questions.formats.errors import ImportRefused
from questions.formats.intake.jobs import begin_here, end_here
from questions.formats.intake.reads.plan import LEFT_ALONE, REFUSED
from questions.formats.intake.reads.target import Target
from questions.formats.intake.sent import Sent, sent
from questions.formats.intake.take_in import import_items
from questions.formats.rules.items import BadFile
from questions.formats.rules.reading.columns.choice import Beginning, guessed

ADDS = "questions.add_question"


@dataclass
class Table:
    """An uploaded file, and the current sheet."""

    file: Sent
    sheets: list[Beginning]

    def sheet(self, wanted: str) -> Beginning:
        return next((each for each in self.sheets if str(each.sheet) == wanted), self.sheets[0])


def columns_page(model_admin: ModelAdmin[Any], request: HttpRequest) -> HttpResponse:
    """Upload a table, set its columns' roles, preview, store."""
    if not request.user.has_perm(ADDS):
        raise PermissionDenied
    form = TableForm(request.POST or None, request.FILES or None)
    facts: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            answer = _answered(request, form, facts)
        except (BadFile, ImportRefused) as refusal:
            words = f"The file {refusal}" if isinstance(refusal, BadFile) else str(refusal)
            form.add_error("file", ValidationError(words, refusal.code))
        else:
            if answer:
                return answer
    context = {**model_admin.admin_site.each_context(request), "opts": model_admin.opts, "title": "Import a table"}
    return TemplateResponse(request, "admin/questions/importeditem/columns.html", {**context, **facts})


def _answered(request: HttpRequest, form: TableForm, facts: dict[str, Any]) -> HttpResponseRedirect | None:
    """Show the page, or store the drafts and continue."""
    table = _sent(form)
    sheet = table.sheet(request.POST.get("sheet", ""))
    names = [(each.sheet, str(each.sheet + 1)) for each in table.sheets]
    is_told = not table.file.fresh and request.POST.get("looked_at") == str(sheet.sheet)
    columns = ColumnsForm(
        request.POST if is_told else None, initial=ColumnsForm.said(guessed(sheet)), width=sheet.width, sheets=names
    )
    facts |= {
        "form": _again(form, table),
        "columns": columns,
        "rows": rows_shown(sheet),
        "table": table,
        "sheet": sheet,
    }
    if not is_told or not columns.is_valid():
        return None
    look = facts["look"] = look_at(table.file.content, columns.chosen(), _target(form, table))
    return _kept(request, form, table, look) if "keep" in request.POST and look.can_be_kept else None


def _again(form: TableForm, table: Table) -> TableForm:
    """The form for the next step, in which a token replaces the file."""
    return TableForm(initial={**form.cleaned_data, "file": None, "token": table.file.token, "name": table.file.name})


def _sent(form: TableForm) -> Table:
    """The file and its sheets. Raises BadFile and ImportRefused."""
    file = sent(form.cleaned_data)
    return Table(file, sheets_of(file.content))


def _target(form: TableForm, table: Table) -> Target:
    data = form.cleaned_data
    return Target.of(data["exam"].slug, table.file.name, data["domain"].key if data["domain"] else "")


def _kept(request: HttpRequest, form: TableForm, table: Table, look: TableLook) -> HttpResponseRedirect:
    """Store the items as drafts and report the outcome."""
    target = _target(form, table)
    target.by = request.user if request.user.is_authenticated else None
    with transaction.atomic():
        # Together with its drafts: a half-finished batch would be listed as running for ever.
        target.batch = begin_here(target, "columns", target.by, timezone.now())
        outcomes = list(import_items(target, look.taken, timezone.now()))
        counts = Counter(outcome.result for outcome in outcomes)
        end_here(target.batch, counts, timezone.now())
    words = "Drafts: " + ", ".join(f"{n} {result}" for result, n in sorted(counts.items()))
    messages.success(request, words, "drafts")
    for outcome in outcomes:
        if outcome.result in (REFUSED, LEFT_ALONE):
            messages.warning(request, f"Row {outcome.item.line}, {outcome.result}: {outcome.reason}", "not-taken")
    return redirect("admin:questions_import_job", target.batch.pk)
