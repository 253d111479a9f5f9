"""The regrade form: what will be right, and why."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from practice.regrade.apply import Correction
from practice.sessions.scoring.models import RegradeRule
from questions.versions.models.versions import QuestionVersion

MOST_ANSWERS = 3
"""Accepting either of two answers takes two, so there's one to spare. Each is a full set of checkboxes, on a page that
works without script."""


class RegradeForm(forms.Form):
    """A rule, up to three accepted answers as sets of options, and the reason learners read."""

    rule = forms.ChoiceField(label="Decision", choices=RegradeRule.choices, widget=forms.RadioSelect)
    reason = forms.CharField(
        label="Reason",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Shown to every learner affected. Say what was wrong and what the source says.",
    )

    def __init__(self, version: QuestionVersion, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [
            (slot, format_html("<span>{}</span>", mark_safe(html)))  # noqa: S308 - rendered by us
            for slot, html in version.options_html.items()
        ]
        for number in range(1, MOST_ANSWERS + 1):
            self.fields[f"answer_{number}"] = forms.MultipleChoiceField(
                label=f"Answer {number}", choices=choices, required=False, widget=forms.CheckboxSelectMultiple,
                help_text="" if number == 1 else "Only if either answer is accepted.",
            )  # fmt: skip

    def answers(self) -> list[forms.BoundField]:
        return [self[f"answer_{number}"] for number in range(1, MOST_ANSWERS + 1)]

    def correction(self) -> Correction:
        """The requested correction; an answer without options is ignored."""
        data = self.cleaned_data
        sets = [data[f"answer_{number}"] for number in range(1, MOST_ANSWERS + 1)]
        accepted = tuple(tuple(int(slot) for slot in chosen) for chosen in sets if chosen)
        return Correction(data["rule"], accepted, data["reason"])
