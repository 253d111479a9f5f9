"""The form of an import: a file, how to read it, and where its drafts go."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import URLValidator
from django.http import QueryDict

from questions.catalogue.models import Domain, Exam
from questions.catalogue.rules.sources import OWN_WORK
from questions.formats.intake.reads.target import BESIDE, UPDATE, Choice
from questions.formats.rules.registry import FORMATS

MOST_BYTES = 8 * 1024 * 1024
"""It comes in one request, is in the cache between the steps, and in the database until it is imported."""
AUTO = "auto"
TICKED = "ticked"
BASE = re.compile(r"(\d{1,18}):(\d{1,9})")


class UploadForm(forms.Form):
    """A file, or its token once uploaded, and where its drafts go."""

    file = forms.FileField(label="File", required=False)
    token = forms.CharField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(required=False, widget=forms.HiddenInput)
    exam = forms.ModelChoiceField(Exam.objects.listed(), label="Exam", to_field_name="slug")
    domain = forms.ModelChoiceField(
        Domain.objects.select_related("exam"),
        label="Domain of new drafts",
        required=False,
        empty_label="From each item’s category, or the first domain",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        only = Exam.objects.listed()[:2]
        if len(only) == 1:  # nothing to choose
            self.initial.setdefault("exam", only[0].slug)

    def clean_file(self) -> UploadedFile | None:
        """Limit the file to what one request can carry."""
        file: UploadedFile | None = self.cleaned_data["file"]
        if file and (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(
                "Larger than 8 MB. Use manage.py import_questions, which has no such limit, or split the file.",
                "too-large",
            )
        return file

    def clean(self) -> dict[str, Any]:
        """Require a file or its token, and a domain of the exam."""
        data = super().clean() or {}
        if not data.get("file") and not data.get("token"):
            self.add_error("file", forms.ValidationError("Choose a file.", "required"))
        if data.get("domain") and data.get("exam") and data["domain"].exam_id != data["exam"].pk:
            self.add_error("domain", forms.ValidationError("This domain belongs to another exam.", "other-exam"))
        return data


class ImportForm(UploadForm):
    """What to read and where to put it. After the preview, ``token`` replaces the uploaded file.

    ``bases`` are the questions compared in the preview, each with its revision.
    """

    field_order = ("file", "format", "exam")

    format = forms.ChoiceField(label="Format")
    bases = forms.CharField(required=False, widget=forms.HiddenInput)
    matching = forms.ChoiceField(
        label="Questions already here under the same permanent name",
        choices=[
            (TICKED, "Update the ones I tick; leave the rest as they are"),
            (UPDATE, "Update all that differ"),
            (BESIDE, "Leave them, and import these items as new drafts"),
        ],
        widget=forms.RadioSelect,
        required=False,
        initial=TICKED,
        help_text="An update becomes a draft revision for someone else to review. What is live stays live until then.",
    )
    source = forms.CharField(
        label="Source for new drafts that don’t name one",
        required=False,
        max_length=200,
        help_text="An address starting with https://, or “own” if the questions are your own work.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        readable = [(form.name, form.title) for form in FORMATS if form.read]
        self.fields["format"].choices = [(AUTO, "Detect automatically"), *readable]  # type: ignore[attr-defined]

    def clean_matching(self) -> str:
        """By default, only ticked questions are updated."""
        return self.cleaned_data["matching"] or TICKED

    def clean_source(self) -> str:
        """A URL or the word for one's own work."""
        source = str(self.cleaned_data["source"]).strip()
        if source.casefold() == OWN_WORK:
            return OWN_WORK
        if source:
            URLValidator(schemes=["https"], message="Enter an address starting with https://, or “own”.")(source)
        return source

    def choice(self, is_large: bool) -> Choice:
        """The choice for existing questions.

        A large file has no preview, so nothing in it was compared: it's all of them or none.
        """
        matching, source = self.cleaned_data["matching"], self.cleaned_data["source"]
        if matching == BESIDE:
            return Choice(BESIDE, source=source)
        if matching == UPDATE:
            return Choice(UPDATE, None if is_large else _bases([self.cleaned_data["bases"]]), source)
        ticked = self.data.getlist("update") if isinstance(self.data, QueryDict) else []
        return Choice(UPDATE, _bases(ticked), source)


def _bases(texts: list[str]) -> dict[str, int]:
    """By question, the previewed revision."""
    return {pk: int(revision) for text in texts for pk, revision in BASE.findall(text)}
