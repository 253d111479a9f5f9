"""The form with which staff enter an outage."""

from __future__ import annotations

from django import forms

from practice.sessions.ending.outages.rules import Span

TYPED = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"]


def _moment(label: str) -> forms.DateTimeField:
    # The browser's own control writes times to the minute, with a T between date and time.
    widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
    return forms.DateTimeField(label=label, input_formats=TYPED, widget=widget)


class OutageForm(forms.Form):
    """Start, end, and what learners are told."""

    began_at = _moment("From (UTC)")
    ended_at = _moment("To (UTC)")
    reason = forms.CharField(
        label="Reason",
        max_length=200,
        required=False,
        help_text="Optional. Shown to learners, for example “a network failure”.",
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def span(self) -> Span:
        """The outage's time span; only for a valid form."""
        return self.cleaned_data["began_at"], self.cleaned_data["ended_at"]
