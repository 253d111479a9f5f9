"""The one question of a site with several exams."""

from __future__ import annotations

from typing import Any

from django import forms

from questions.models import Exam
from questions.selectors.offer import offered

PLACES = {"practise": "hub", "mock": "mock", "study": "exam", "progress": "readiness"}
"""The places of an exam, by the name of their address."""
HOME = "home"


class ExamChoiceForm(forms.Form):
    """Which exam somebody prepares for, and where they were going."""

    exam = forms.ModelChoiceField(Exam.objects.none(), to_field_name="slug")
    to = forms.CharField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["exam"].queryset = offered()  # type: ignore[attr-defined]

    def clean_to(self) -> str:
        """A place we know, else practice."""
        return known_place(self.cleaned_data["to"])


def known_place(name: str) -> str:
    """The name of a place, whatever was asked for."""
    return name if name in {*PLACES, HOME} else "practise"
