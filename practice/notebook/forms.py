"""Forms for what a learner records: a note, why an answer was missed, the plan, how the exam went."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any
from urllib.parse import urlencode

from django import forms

from practice.learners.models import Outcome
from practice.notebook.reads.kept import KINDS, NotebookChoice
from practice.notebook.reads.plans import PlanLimits
from practice.sessions.models import MissClass
from practice.start.forms import BOUNDS
from questions.catalogue.models import Exam
from questions.catalogue.reads import offered

PLACES = {"practise": "hub", "mock": "mock", "study": "exam", "progress": "readiness"}
"""The sections of an exam's pages, by URL name."""
HOME = "home"
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MAX_NOTE = 4000
"""A page and a half of text. When a guest signs in, two notes on one question are joined and may together be longer;
nothing is cut then, and the limit only applies when the note is next changed."""


class ExamChoiceForm(forms.Form):
    """Which exam somebody is preparing for, and where they were going."""

    exam = forms.ModelChoiceField(Exam.objects.none(), to_field_name="slug")
    to = forms.CharField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["exam"].queryset = offered()  # type: ignore[attr-defined]

    def clean_to(self) -> str:
        """A known place, else practice."""
        return known_place(self.cleaned_data["to"])


def known_place(name: str) -> str:
    """A valid place name, whatever was requested."""
    return name if name in {*PLACES, HOME} else "practise"


class NoteText(forms.CharField):
    """Text whose line breaks count as one character each, as in the browser."""

    def to_python(self, value: Any) -> str:
        """Remove the carriage returns that browsers add."""
        return super().to_python((value or "").replace("\r\n", "\n").replace("\0", "")) or ""


class NoteForm(forms.Form):
    text = NoteText(label="Private note", max_length=MAX_NOTE, required=False, widget=forms.Textarea)


class WordsForm(forms.Form):
    """Words to highlight, with white space collapsed."""

    words = forms.CharField(max_length=300)

    def clean_words(self) -> str:
        return " ".join(self.cleaned_data["words"].split())


class KnewForm(forms.Form):
    """A flashcard that was turned."""

    card = forms.IntegerField(min_value=1, max_value=2**31)
    knew = forms.ChoiceField(choices=[("yes", "I knew it"), ("no", "Not yet")])


class NotebookForm(forms.Form):
    """Which part of the notebook to show; an invalid choice shows everything."""

    NAMES = {"all": "Everything", "notes": "Notes", "starred": "Starred", "highlights": "Highlights"}

    kind = forms.CharField(required=False)
    domain = forms.CharField(required=False)
    concept = forms.CharField(required=False)
    words = forms.CharField(max_length=100, required=False)
    whole = forms.BooleanField(required=False)

    def kinds(self, counts: dict[str, int]) -> list[tuple[str, str]]:
        """The kinds to choose from, each with its number of entries."""
        return [(key, f"{self.NAMES[key]} {counts[key]}") for key in KINDS]

    def query(self) -> str:
        """The choice as a query string, without empty fields."""
        given = {name: value for name, value in self.cleaned_data.items() if value and name != "whole"}
        return urlencode(given)

    def choice(self, *, whole: bool = False) -> NotebookChoice:
        """The requested choice."""
        self.is_valid()
        data = self.cleaned_data
        kind = data.get("kind") or "all"
        return NotebookChoice(
            kind=kind if kind in KINDS else "all",
            domain=data.get("domain", ""),
            concept=data.get("concept", ""),
            words=data.get("words", ""),
            whole=whole or data.get("whole", False),
        )


class MissForm(forms.Form):
    """Why an answer was missed; empty removes the reason."""

    miss = forms.ChoiceField(choices=MissClass.choices, required=False)


class DayInput(forms.DateInput):
    """A browser's date field. An invalid date is left out: a browser would only complain instead of showing it."""

    input_type = "date"

    def format_value(self, value: Any) -> str | None:
        """The date in the browser's format, or nothing."""
        text = super().format_value(value)
        return text if text and DAY.fullmatch(str(text)) else None


class PlanForm(forms.Form):
    """When the real exam is, and how many minutes a day there are for it. Both are optional.

    A stored date may have passed since it was set, and stays; a new one is checked against ``limits``.
    """

    exam_date = forms.DateField(label="Exam date", required=False, widget=DayInput)
    minutes_a_day = forms.IntegerField(
        label="Minutes a day",
        min_value=5,
        max_value=600,
        required=False,
        error_messages=BOUNDS,
    )

    def __init__(self, *args: Any, limits: PlanLimits | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limits = limits

    def clean_exam_date(self) -> dt.date | None:
        """A date in the future, or the one stored already."""
        day: dt.date | None = self.cleaned_data["exam_date"]
        if day and self.limits and day < self.limits.today and day != self.limits.known:
            raise forms.ValidationError("That date has passed. Choose today or later, or leave it blank.")
        return day


class OutcomeForm(forms.Form):
    outcome = forms.ChoiceField(choices=Outcome.choices)
