"""The picture upload form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from questions.versions.material.pictures.reads import picture_limits

KINDS = "image/png,image/jpeg,image/gif,image/webp"


class PictureForm(forms.Form):
    """An image file and its description. The editor's script sends only the file: the description is in the text."""

    file = forms.FileField(
        label="Image", widget=forms.FileInput(attrs={"accept": KINDS}), error_messages={"required": "Choose an image."}
    )
    words = forms.CharField(
        label="What it shows", max_length=500, required=False, widget=forms.TextInput(attrs={"size": 60}),
        help_text="The alternative text, for readers who can’t see the picture.",
    )  # fmt: skip

    def __init__(self, *args: Any, is_script: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["words"].required = not is_script

    def clean_file(self) -> UploadedFile:
        """Check the size before reading anything."""
        file: UploadedFile = self.cleaned_data["file"]
        limits = picture_limits()
        if (file.size or 0) > limits.bytes:
            raise forms.ValidationError(f"The file is larger than {limits.megabytes} MB.", "too-large")
        return file

    def clean_words(self) -> str:
        """Brackets would end the description in a text."""
        return " ".join(self.cleaned_data["words"].replace("[", "(").replace("]", ")").split())
