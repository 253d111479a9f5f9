"""Forms for a table: the file, then each column's role."""

from __future__ import annotations

from typing import Any

from django import forms

from questions.formats.forms import UploadForm
from questions.formats.rules.reading.columns.choice import Chosen, columns_for

ROLE_LABELS = [
    ("", "Ignore"),
    ("stem", "Question"),
    ("option", "Option"),
    ("correct", "Right answer"),
    ("wrong", "Wrong answer"),
    ("options", "All options"),
    ("explanation", "Explanation"),
    ("title", "Title"),
    ("tags", "Tags"),
    ("category", "Category"),
    ("kind", "Type"),
    ("id", "ID"),
    ("source_url", "Source: address"),
    ("source_title", "Source: title"),
    ("source_says", "Source: what it says"),
    ("source_as_of", "Source: checked on"),
]
FROM_ONE, FROM_ZERO = "one", "zero"


class TableForm(UploadForm):
    """A table."""

    file = forms.FileField(label="CSV or XLSX file", required=False)


class ColumnsForm(forms.Form):
    """Each column's role; as many fields as the sheet has columns."""

    sheet = forms.TypedChoiceField(label="Sheet", coerce=int)
    above = forms.IntegerField(label="Rows above the first question", min_value=0, max_value=1000)
    counting = forms.ChoiceField(
        label="Right answer",
        choices=[(FROM_ONE, "A letter, a number from 1, or an option’s text"), (FROM_ZERO, "A number from 0")],
    )

    def __init__(self, *args: Any, width: int, sheets: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.width = width
        self.fields["sheet"].choices = sheets  # type: ignore[attr-defined]
        if len(sheets) < 2:
            self.fields["sheet"].widget = forms.HiddenInput()
        for place in range(width):
            label = f"Column {place + 1}"
            field = forms.ChoiceField(label=label, choices=ROLE_LABELS, required=False)
            field.widget.attrs["aria-label"] = label
            self.fields[f"role_{place}"] = field

    def clean(self) -> dict[str, Any]:
        """Require roles that make questions."""
        data = super().clean() or {}
        if not self.errors and columns_for(self.chosen()) is None:
            raise forms.ValidationError(
                "Choose one column for the question, one for the right answer, and either two or more for options, one "
                "for all options, or at least one for wrong answers. Use every other role once at most.",
                "incomplete",
            )
        return data

    @property
    def roles(self) -> list[forms.BoundField]:
        """The column fields, in order."""
        return [self[f"role_{place}"] for place in range(self.width)]

    def chosen(self) -> Chosen:
        """The chosen roles, whether valid or not."""
        data = self.cleaned_data
        roles = tuple(data.get(f"role_{place}") or "" for place in range(self.width))
        return Chosen(roles, data["above"], data["sheet"], data["counting"] == FROM_ZERO)

    @staticmethod
    def said(chosen: Chosen) -> dict[str, Any]:
        """The choice as form values."""
        roles = {f"role_{place}": role for place, role in enumerate(chosen.roles)}
        counting = FROM_ZERO if chosen.from_zero else FROM_ONE
        return {"sheet": chosen.sheet, "above": chosen.above, "counting": counting, **roles}
