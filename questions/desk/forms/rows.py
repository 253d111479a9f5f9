"""The fields of the editor's form, and its rows: options, clues, sources. Empty rows are ignored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.forms.formsets import (
    DELETION_FIELD_NAME,
    INITIAL_FORM_COUNT,
    MAX_NUM_FORM_COUNT,
    MIN_NUM_FORM_COUNT,
    ORDERING_FIELD_NAME,
    TOTAL_FORM_COUNT,
    BaseFormSet,
    ManagementForm,
)
from django.utils import timezone
from django.utils.functional import cached_property

from courseiva.common.texts.plain_text import PlainText
from questions.desk.reads.editor import Choices
from questions.lint.rules import RATIONALE_WORDS
from questions.versions.rules.text_caps import EDITORS, pathology

# A slot is one hexadecimal digit in a session's option order, and a bit of a 15-bit mask.
MAX_SLOT = 14
EXTRA = {"clues": 2, "options": 2, "sources": 1}
MOST_ROWS = 200  # including rows added and removed again


@dataclass(frozen=True)
class Step:
    """A later step; ``lacks`` counts what review would refuse in it, None if that isn't known."""

    lacks: int | None
    is_open: bool


CLOSED = Step(None, is_open=False)  # of a row that the script adds


def refuse_pathology(text: str) -> None:
    """Raises ValidationError for text that would be slow to render, before anything renders it."""
    if why := pathology(text, EDITORS):
        raise forms.ValidationError(why.words, why.code)


def words(label: str, rows: int, text: str = "", most: int = 0, least: int = 0, *, pictures: bool = False) -> PlainText:
    """A long text as typed; ``most`` and ``least`` words are hints, not enforced. ``pictures``: it can show them."""
    marks = {"data-most": most, "data-least": least, "data-pictures": pictures}
    attributes = {"rows": rows, **{name: value for name, value in marks.items() if value}}
    widget = forms.Textarea(attrs=attributes)
    if most:
        text = f"{text} {least} to {most} words." if least else f"{text} At most {most} words."
    return PlainText(
        label=label,
        required=False,
        strip=False,
        max_length=EDITORS.characters,
        validators=[refuse_pathology],
        widget=widget,
        help_text=text.strip(),
    )


def lock(form: forms.Form, names: Sequence[str]) -> None:
    """Make these fields read-only."""
    for name in names:
        form.fields[name].disabled = True


class OptionForm(forms.Form):
    """One option. Its slot is its permanent number."""

    step = CLOSED
    slot = forms.IntegerField(min_value=1, max_value=MAX_SLOT, required=False, widget=forms.HiddenInput)
    text = words("Option text", 2, pictures=True)
    right = forms.BooleanField(label="Right", required=False)
    tempts = words("Why it’s tempting", 2, "For a right option: what points to it.", RATIONALE_WORDS)
    why = words("Why it’s right or wrong", 2, "", RATIONALE_WORDS, pictures=True)
    right_if = words("Right if", 2, "For a wrong option: the one change to the scenario that would make it right.")
    never = words("Never right", 2, "Instead of “right if”, for one option at most: the misconception behind it.")
    concept = forms.ChoiceField(label="Related concept", required=False)

    def __init__(self, *args: Any, choices: Choices, family: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lock(self, ("slot", "text", "tempts", "right_if", "never", "concept") if family else ())
        self.fields["concept"].choices = [("", "none"), *choices.concepts]  # type: ignore[attr-defined]

    def is_blank(self) -> bool:
        data = self.cleaned_data
        return not any(data.get(name) for name in ("text", "right", "tempts", "why", "concept", "right_if", "never"))

    def clean(self) -> dict[str, Any]:
        """An option has "right if" or "never", not both."""
        data = super().clean() or {}
        if data.get("right_if") and data.get("never"):
            self.add_error("never", "Fill in “right if” or “never right”, not both.")
        return data


def _slots(label: str) -> forms.TypedMultipleChoiceField:
    return forms.TypedMultipleChoiceField(
        label=label, required=False, coerce=int, widget=forms.CheckboxSelectMultiple,
        choices=[(slot, str(slot)) for slot in range(1, MAX_SLOT + 1)],
    )  # fmt: skip


class ClueForm(forms.Form):
    phrase = forms.CharField(label="Exact phrase", required=False, max_length=300)
    why = words("Why it matters", 2, "Without giving the answer away.")
    confirms = _slots("Points to option")
    rules_out = _slots("Rules out option")

    def is_blank(self) -> bool:
        return not any(self.cleaned_data.get(name) for name in ("phrase", "why"))


class SourceForm(forms.Form):
    step = CLOSED
    title = forms.CharField(
        label="Title", required=False, max_length=200,
        help_text="For a basic question (one that doesn’t have all its reasons and sources), you can enter “own” "
        "and no address if it’s your own work.",
    )  # fmt: skip
    url = forms.CharField(
        label="Address", required=False, max_length=500, widget=forms.TextInput(attrs={"inputmode": "url"}),
        validators=[URLValidator(schemes=["https", "http"], message="Enter the full address, starting with https://.")],
    )  # fmt: skip
    as_of = forms.DateField(
        label="As of", required=False, initial=timezone.localdate,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="The date someone last read it. Leave empty if nobody has.",
    )  # fmt: skip
    says = words("What it says", 2)

    def is_blank(self) -> bool:
        return not any(self.cleaned_data.get(name) for name in ("title", "url"))


class Rows(BaseFormSet):
    """Rows as sent. If their number arrives damaged, all of them are shown again and nothing can be saved.

    Django trusts that number: at 0, the save would delete every option of a question.
    """

    damaged = False

    @cached_property
    def management_form(self) -> ManagementForm:
        """The numbers as sent, or as derived from the fields: the form rendered again must be right."""
        form: ManagementForm = super().management_form
        came = self._came() if self.is_bound else 0
        if not self.is_bound or (form.is_valid() and (form.cleaned_data[TOTAL_FORM_COUNT] or 0) >= came):
            return form
        self.damaged = True
        numbers = {TOTAL_FORM_COUNT: came, INITIAL_FORM_COUNT: min(came, len(self.initial or ()))}
        numbers |= {MIN_NUM_FORM_COUNT: self.min_num, MAX_NUM_FORM_COUNT: self.max_num}
        form = ManagementForm({f"{self.prefix}-{name}": n for name, n in numbers.items()}, prefix=self.prefix)
        form.full_clean()
        return form

    def clean(self) -> None:
        if self.damaged:
            raise forms.ValidationError("Some of these rows may be missing. Check them, then save again.", "damaged")

    def _came(self) -> int:
        """The number of rows according to the field names."""
        row = re.compile(rf"{re.escape(str(self.prefix))}-([0-9]{{1,4}})-")
        found = [int(match[1]) + 1 for match in map(row.match, self.data) if match]
        return min(max(found, default=0), self.absolute_max)


def _rows(form: type[forms.Form], name: str) -> Any:
    """A formset of rows that can be moved and removed; the page adds blank ones."""
    return forms.formset_factory(
        form, Rows, extra=EXTRA[name], can_order=True, can_delete=True, max_num=MOST_ROWS, validate_max=True
    )


ROWS = {
    name: _rows(form, name) for name, form in (("clues", ClueForm), ("options", OptionForm), ("sources", SourceForm))
}


def filled_rows(formset: Any) -> list[Any]:
    """The non-empty rows, in the chosen order; call after validation."""
    found = [
        (form.cleaned_data.get(ORDERING_FIELD_NAME) or len(formset.forms) + i, i, form)
        for i, form in enumerate(formset.forms)
        if not form.cleaned_data.get(DELETION_FIELD_NAME) and not form.is_blank()
    ]
    return [form for _, _, form in sorted(found, key=lambda each: each[:2])]
