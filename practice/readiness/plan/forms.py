"""Forms on the plan page."""

from __future__ import annotations

import calendar
import re
from typing import Any

from django import forms

MOST_SECTIONS = 50
"""Several days' reading. A request can be written by hand, and each name is looked up."""
SECTION = re.compile(r"(\d{1,4}):([^\s:]{0,200})")


class SectionsField(forms.Field):
    """Sections as ``module:anchor``, at most 50; each as the module's number and the anchor."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> list[tuple[int, str]]:
        """Raises ValidationError if one of them names no section."""
        found = [SECTION.fullmatch(each) for each in (value or [])[:MOST_SECTIONS]]
        if None in found:
            raise forms.ValidationError("Choose sections of a module.", code="invalid")
        return [(int(each[1]), each[2]) for each in found if each]


class SectionsForm(forms.Form):
    section = SectionsField()
    off = forms.BooleanField(required=False)


class FeedForm(forms.Form):
    """Open, renew or close the calendar's address."""

    close = forms.BooleanField(required=False)


class RemindersForm(forms.Form):
    """The weekdays for reminder emails; none turns them off."""

    weekdays = forms.TypedMultipleChoiceField(
        label="Email me on",
        choices=list(enumerate(calendar.day_name)),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
