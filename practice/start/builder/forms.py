"""The name of a preset."""

from __future__ import annotations

from django import forms


class PresetForm(forms.Form):
    """``preset`` is the one being edited. The same form starts a drill, which needs no name."""

    use_required_attribute = False

    name = forms.CharField(label="Name", max_length=60)
    preset = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)
