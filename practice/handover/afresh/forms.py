"""The confirmation of a fresh start: typing the exam's code."""

from __future__ import annotations

from typing import Any

from django import forms

from questions.catalogue.models import Exam


class ConfirmForm(forms.Form):
    """The code in any case, with any spaces around it."""

    code = forms.CharField(label="", max_length=40, widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, exam: Exam, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.exam = exam
        self.fields["code"].label = f"Type {exam.code} to confirm"

    def clean_code(self) -> str:
        """Raises ValidationError unless it names this exam."""
        code = str(self.cleaned_data["code"]).strip()
        if code.casefold() != self.exam.code.casefold():
            raise forms.ValidationError(f"Type {self.exam.code}, the code of this exam.", code="other-exam")
        return code
