"""The form of an import: a file, how to read it, and where its drafts go."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from questions.catalogue.models import Domain, Exam
from questions.formats.rules.registry import FORMATS

MOST_BYTES = 8 * 1024 * 1024
AUTO = "auto"


class ImportForm(forms.Form):
    """What to read and where to put it. After a first look ``token`` stands for the file that was sent."""

    file = forms.FileField(label="File", required=False)
    token = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(required=False, widget=forms.HiddenInput)
    format = forms.ChoiceField(label="Format")
    exam = forms.ModelChoiceField(Exam.objects.listed(), label="Exam", to_field_name="slug")
    domain = forms.ModelChoiceField(
        Domain.objects.select_related("exam"),
        label="Domain",
        required=False,
        empty_label="From each item’s category, or the first domain",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        readable = [(form.name, form.title) for form in FORMATS if form.read]
        self.fields["format"].choices = [(AUTO, "Detect automatically"), *readable]  # type: ignore[attr-defined]

    def clean_file(self) -> UploadedFile | None:
        """A file that one request can carry."""
        file: UploadedFile | None = self.cleaned_data["file"]
        if file and (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                "Larger than 8 MB. Use manage.py import_questions, which has no such limit, or split the file.",
                "too-large",
            )
        return file

    def clean(self) -> dict[str, Any]:
        """A file or its token, and a domain of the exam."""
        data = super().clean() or {}
        if not data.get("file") and not data.get("token"):
            self.add_error("file", forms.ValidationError("Choose a file.", "required"))
        if data.get("domain") and data.get("exam") and data["domain"].exam_id != data["exam"].pk:
            self.add_error("domain", forms.ValidationError("This domain belongs to another exam.", "other-exam"))
        return data
