"""Questions as a file to edit and import again."""

from __future__ import annotations

from http import HTTPStatus

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from questions.formats.batches.forms import ExportForm
from questions.formats.reads import desk_items
from questions.formats.rules.items import BadFile
from questions.formats.rules.registry import format_named

EDITS = "questions.change_question"
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "yaml": "application/yaml; charset=utf-8",
    "json": "application/json",
}
BOM = b"\xef\xbb\xbf"  # without it, Excel reads CSV as windows-1252


def export(request: HttpRequest) -> HttpResponse:
    """The selected questions' drafts, including reserved ones and answers: only for editors."""
    if not request.user.has_perm(EDITS):
        raise PermissionDenied
    form = ExportForm(request.POST)
    if not form.is_valid():
        return HttpResponse("Choose the questions again.", "text/plain", HTTPStatus.BAD_REQUEST)
    chosen = format_named(form.cleaned_data["format"])
    try:
        content = chosen.write(desk_items(form.cleaned_data["questions"])) if chosen.write else b""
    except BadFile as refusal:
        return HttpResponse(f"The file {refusal}.", "text/plain", HTTPStatus.BAD_REQUEST)
    response = HttpResponse((BOM if chosen.name == "csv" else b"") + content, TYPES[chosen.name])
    day = timezone.localdate().isoformat()
    response["Content-Disposition"] = f'attachment; filename="questions-{day}.{chosen.name}"'
    response["Cache-Control"] = "no-store"
    return response
