"""What a learner writes down: a note, why an answer was missed, the plan, how the exam went."""

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
"""The places of an exam, by the name of their address."""
HOME = "home"
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MAX_NOTE = 4000


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


class NoteText(forms.CharField):
    """Text whose line ends count as one character each, as the browser counts them."""

    def to_python(self, value: Any) -> str:
        """Without the carriage returns that forms are sent with."""
        return super().to_python((value or "").replace("\r\n", "\n").replace("\0", "")) or ""


class NoteForm(forms.Form):
    text = NoteText(label="Private note", max_length=MAX_NOTE, required=False, widget=forms.Textarea)


class WordsForm(forms.Form):
    """Words to highlight, with their white space folded."""

    words = forms.CharField(max_length=300)

    def clean_words(self) -> str:
        return " ".join(self.cleaned_data["words"].split())


class KnewForm(forms.Form):
    """A flashcard that was turned."""

    card = forms.IntegerField(min_value=1, max_value=2**31)
    knew = forms.ChoiceField(choices=[("yes", "I knew it"), ("no", "Not yet")])


class NotebookForm(forms.Form):
    """What of the notebook to show; what is no choice of it shows everything."""

    NAMES = {"all": "Everything", "notes": "Notes", "starred": "Starred", "highlights": "Highlights"}

    kind = forms.CharField(required=False)
    domain = forms.CharField(required=False)
    concept = forms.CharField(required=False)
    words = forms.CharField(max_length=100, required=False)
    whole = forms.BooleanField(required=False)

    def kinds(self, counts: dict[str, int]) -> list[tuple[str, str]]:
        """The kinds to choose from, each with how much there is of it."""
        return [(key, f"{self.NAMES[key]} {counts[key]}") for key in KINDS]

    def query(self) -> str:
        """The choice as part of an address, without what was left empty."""
        given = {name: value for name, value in self.cleaned_data.items() if value and name != "whole"}
        return urlencode(given)

    def choice(self, *, whole: bool = False) -> NotebookChoice:
        """The choice as it was asked for."""
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
    """Why an answer was missed; empty takes it back."""

    miss = forms.ChoiceField(choices=MissClass.choices, required=False)


class DayInput(forms.DateInput):
    """A browser's own field for a day. What is no day stays out of it: a browser would not show it, only complain."""

    input_type = "date"

    def format_value(self, value: Any) -> str | None:
        """The day as browsers want it, or nothing."""
        text = super().format_value(value)
        return text if text and DAY.fullmatch(str(text)) else None


class PlanForm(forms.Form):
    """When the real exam is, and how many minutes a day there are for it. Both may stay empty.

    A date that is kept already may have passed since it was set, and stays; a new one is checked with ``limits``.
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
        """A day to come, or the one that is kept already."""
        day: dt.date | None = self.cleaned_data["exam_date"]
        if day and self.limits and day < self.limits.today and day != self.limits.known:
            raise forms.ValidationError("That date has passed. Choose today or later, or leave it blank.")
        return day


class OutcomeForm(forms.Form):
    outcome = forms.ChoiceField(choices=Outcome.choices)
