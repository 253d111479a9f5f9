"""Which questions to export, and in which format."""

from __future__ import annotations

from django import forms

FORMATS = ("xlsx", "csv", "yaml", "json")


class ExportForm(forms.Form):
    """``questions`` are comma-separated ids, as on the previous page."""

    questions = forms.CharField(widget=forms.HiddenInput)
    format = forms.ChoiceField(choices=[(name, name) for name in FORMATS])

    def clean_questions(self) -> list[int]:
        """The ids. Anything else is refused: only our own page sends it."""
        parts = self.cleaned_data["questions"].split(",")
        if not all(part.isascii() and part.isdecimal() and len(part) <= 18 for part in parts):
            raise forms.ValidationError("Choose the questions again.", "unreadable")
        return [int(part) for part in parts]
