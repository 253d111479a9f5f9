"""The form for reporting an error in a question."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django import forms

from courseiva.common.texts.plain_text import PlainText
from questions.reports.models import MAX_REPORT, ContentReport, ReportKind
from questions.reports.reads.reporters import Reporter
from questions.reports.reads.reports import ReportTarget
from questions.reports.report import Complaint, report


class ReportForm(forms.Form):
    """What is wrong with a question. ``save`` stores it for the reporter."""

    kind = forms.ChoiceField(
        label="What’s wrong?",
        choices=ReportKind.choices,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose the closest match."},
    )
    slot = forms.TypedChoiceField(
        label="Where?", required=False, coerce=int, empty_value=None, widget=forms.RadioSelect
    )
    text = PlainText(
        label="In your own words",
        max_length=MAX_REPORT,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="What does it say, what should it say, and how do you know? A link to the vendor’s documentation "
        f"helps most. Plain text, up to {MAX_REPORT:,} characters.",
        error_messages={"required": "Say what’s wrong: the editor has nothing else to go on."},
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
        """The selected option's value; "" for the question as a whole."""
        return str(self["slot"].value() or "")

    def save(self, reporter: Reporter, now: dt.datetime) -> ContentReport:
        """Store the report; call after ``is_valid()``. Raises ReportError."""
        data = self.cleaned_data
        complaint = Complaint(ReportKind(data["kind"]), data["text"], data["slot"])
        return report(self.target.version, complaint, reporter, now)
