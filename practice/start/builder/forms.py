"""The name a choice is kept by."""

from __future__ import annotations

from django import forms


class PresetForm(forms.Form):
    """``preset`` is the one that is being edited. A drill is started from the same form, and needs no name."""

    use_required_attribute = False

    name = forms.CharField(label="Name", max_length=60)
    preset = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
