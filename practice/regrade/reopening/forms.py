"""The reopening forms: which session, and for how long."""

from __future__ import annotations

from typing import Any

from django import forms


class FindForm(forms.Form):
    """A session by the number on its receipt."""

    session = forms.UUIDField(
        label="Session",
        help_text="You’ll find it at the foot of the result, after “mock exam” or “drill”.",
        error_messages={"invalid": "That isn’t a session’s number. Copy it from the foot of the result."},
        widget=forms.TextInput(attrs={"size": 40, "spellcheck": "false", "autocomplete": "off"}),
    )


class ReopeningForm(forms.Form):
    """``most`` is the session's original time."""

    minutes = forms.IntegerField(
        label="Minutes left", help_text="The clock starts when the learner resumes.", min_value=1
    )
    reason = forms.CharField(
        label="Reason",
        max_length=200,
        help_text="For the record. The learner doesn’t see it.",
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def __init__(self, most: int, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["minutes"].widget.attrs["max"] = most
