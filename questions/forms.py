"""The filters of the question list, as an address can hold them; and the report of an error."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import forms

from questions.models import (
    MAX_REPORT,
    Concept,
    ContentReport,
    Difficulty,
    Domain,
    Exam,
    Kind,
    ReportKind,
)
from questions.reporters import Reporter
from questions.reporting import Complaint, report
from questions.selectors.public import printed_name
from questions.selectors.reports import ReportTarget

MAX_TEXT = 100


@dataclass(frozen=True)
class TopicChoice:
    """A topic that can be ticked."""

    key: str
    name: str
    is_chosen: bool


@dataclass(frozen=True)
class TopicGroup:
    """The topics of one section."""

    name: str
    topics: list[TopicChoice]


class SearchForm(forms.Form):
    """A search over all exams."""

    q = forms.CharField(label="Words", max_length=MAX_TEXT, required=False)
    page = forms.CharField(required=False, widget=forms.HiddenInput)


class QuestionFilter(SearchForm):
    """Repeated parameters widen a filter; different ones narrow it."""

    domain = forms.MultipleChoiceField(label="Section", required=False, widget=forms.CheckboxSelectMultiple)
    difficulty = forms.MultipleChoiceField(
        label="Difficulty", required=False, choices=Difficulty.choices, widget=forms.CheckboxSelectMultiple
    )
    kind = forms.MultipleChoiceField(
        label="Kind", required=False, choices=Kind.choices, widget=forms.CheckboxSelectMultiple
    )
    concept = forms.MultipleChoiceField(label="Topic", required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, exam: Exam, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        domains = Domain.objects.filter(exam=exam).annotate(name=printed_name("pk"))
        concepts = Concept.objects.filter(domain__exam=exam).order_by("domain__number", "name")
        names = {d.pk: f"{d.number} {d.name or d.key}" for d in domains}
        self.concepts = [
            (names[domain], key, name) for domain, key, name in concepts.values_list("domain", "key", "name")
        ]
        choices = {
            "domain": [(d.key, names[d.pk]) for d in domains],
            "concept": [(key, name) for _, key, name in self.concepts],
        }
        for field, values in choices.items():
            self.fields[field].choices = values  # type: ignore[attr-defined]

    def topics(self) -> list[TopicGroup]:
        """All topics by section, the chosen ones ticked."""
        ticked = set(self.cleaned_data.get("concept", []))
        return [
            TopicGroup(section, [TopicChoice(key, name, key in ticked) for _, key, name in rows])
            for section, rows in groupby(self.concepts, key=lambda row: row[0])
        ]

    def chosen(self) -> dict[str, Any]:
        """The filters that hold; what the exam does not have is left out."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value and name != "page"}

    def words(self) -> list[str]:
        """The filters that hold, as a reader names them."""
        words = []
        for name in ("domain", "concept", "difficulty", "kind"):
            labels = dict(self.fields[name].choices)  # type: ignore[attr-defined]
            words += [str(labels[value]) for value in self.cleaned_data.get(name, [])]
        return words


class PlainText(forms.CharField):
    """Text whose line ends count as one character each, as the browser counts them."""

    def to_python(self, value: Any) -> str:
        """Without the carriage returns that forms are sent with."""
        return super().to_python((value or "").replace("\r\n", "\n")) or ""


class ReportForm(forms.Form):
    """What is wrong with a question. ``save`` stores it for whoever reports."""

    kind = forms.ChoiceField(
        label="What is wrong?",
        choices=ReportKind.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what comes closest."},
    )
    slot = forms.TypedChoiceField(
        label="Where?", required=False, coerce=int, empty_value=None, widget=forms.RadioSelect
    )
    text = PlainText(
        label="In your words",
        max_length=MAX_REPORT,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="What does it say, what should it say, and how do you know? A link to the vendor's page helps most. "
        f"Plain text, up to {MAX_REPORT} characters.",
        error_messages={"required": "Say what is wrong: an editor has nothing else to go by."},
    )

    def __init__(self, target: ReportTarget, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.target = target
        self.fields["slot"].choices = [  # type: ignore[attr-defined]
            ("", "the question as a whole"),
            *((option.slot, option.letter) for option in target.options),
        ]

    @property
    def slot_chosen(self) -> str:
        """The option that is ticked, as the page holds it; "" for the question as a whole."""
        return str(self["slot"].value() or "")

    def save(self, reporter: Reporter, now: dt.datetime) -> ContentReport:
        """Report it; call after ``is_valid()``. Raises ReportError."""
        data = self.cleaned_data
        complaint = Complaint(ReportKind(data["kind"]), data["text"], data["slot"])
        return report(self.target.version, complaint, reporter, now)
