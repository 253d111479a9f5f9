"""Forms for changing several questions."""

from __future__ import annotations

from typing import Any

from django import forms

from courseiva.common.texts.plain_text import PlainText
from questions.desk.many.rules import FIELDS, Facts, Replacement
from questions.desk.reads.editor import Choices
from questions.versions.models.drafts import Difficulty, Pool
from questions.versions.models.versions import Change
from questions.versions.rules.draft_diff import LABELS

LEAVE = ("", "Leave as it is")
MOST_WORDS = 300
"""As long as a clue's phrase may be, the longest text that is quoted elsewhere in a question."""


def why_field() -> PlainText:
    """The reason, which the reviewer reads first."""
    return PlainText(
        label="Why", max_length=4000, widget=forms.Textarea(attrs={"rows": 2}),
        help_text="The reviewer reads this, and it goes into each question’s history.",
    )  # fmt: skip


class FactsForm(forms.Form):
    """New facts for all the questions; empty fields change nothing."""

    domain = forms.ChoiceField(label="Domain", required=False)
    difficulty = forms.ChoiceField(label="Difficulty", choices=[LEAVE, *Difficulty.choices], required=False)
    pool = forms.ChoiceField(label="Pool", choices=[LEAVE, *Pool.choices], required=False)
    add_concepts = forms.MultipleChoiceField(label="Add concepts", required=False, widget=forms.CheckboxSelectMultiple)
    drop_concepts = forms.MultipleChoiceField(
        label="Remove concepts", required=False, widget=forms.CheckboxSelectMultiple
    )
    add_objectives = forms.CharField(
        label="Add objectives", required=False, max_length=200, help_text="Numbers such as 2.2.a, separated by commas."
    )
    drop_objectives = forms.CharField(label="Remove objectives", required=False, max_length=200)
    as_of = forms.DateField(
        label="Sources last read on", required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="Set for every source of these questions.",
    )  # fmt: skip
    why = why_field()

    def __init__(self, choices: Choices, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = {"domain": [LEAVE, *choices.domains], "add_concepts": choices.concepts}
        for name, options in {**offered, "drop_concepts": choices.concepts}.items():
            self.fields[name].choices = options  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Require a change."""
        data = super().clean() or {}
        if not self.errors and self.recipe().is_empty():
            raise forms.ValidationError("Choose at least one thing to change.", code="nothing")
        return data

    def recipe(self) -> Facts:
        """The chosen changes, once valid."""
        data = self.cleaned_data
        return Facts(
            domain=data["domain"] or None,
            difficulty=data["difficulty"] or None,
            pool=data["pool"] or None,
            add_concepts=tuple(data["add_concepts"]),
            drop_concepts=tuple(data["drop_concepts"]),
            add_objectives=_numbers(data["add_objectives"]),
            drop_objectives=_numbers(data["drop_objectives"]),
            as_of=data["as_of"],
        )


class ReplaceForm(forms.Form):
    """Words to find in an exam's drafts, and their replacement."""

    exam = forms.ChoiceField(label="Exam")
    find = forms.CharField(label="Find", max_length=MOST_WORDS, strip=False)
    to = forms.CharField(label="Replace with", max_length=MOST_WORDS, strip=False, required=False)
    match_case = forms.BooleanField(label="Match case", required=False, initial=True)
    whole_words = forms.BooleanField(label="Whole words only", required=False, initial=True)
    fields_ = forms.MultipleChoiceField(
        label="In", choices=[(name, LABELS[name]) for name in FIELDS], initial=list(FIELDS),
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip
    change = forms.ChoiceField(
        label="Type of change", choices=[(c.value, c.label.capitalize()) for c in (Change.TYPO, Change.SEMANTIC)],
        initial=Change.TYPO, widget=forms.RadioSelect,
        help_text="A wording change keeps the statistics; a change of meaning resets them.",
    )  # fmt: skip
    why = why_field()

    def __init__(self, exams: list[tuple[str, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["exam"].choices = exams  # type: ignore[attr-defined]

    def clean_find(self) -> str:
        """Not blank; surrounding spaces count."""
        find: str = self.cleaned_data["find"]
        if not find.strip():
            raise forms.ValidationError("Type the words to find.", code="required")
        return find

    def clean(self) -> dict[str, Any]:
        """Require a change."""
        data = super().clean() or {}
        if not self.errors and self.recipe().is_empty():
            raise forms.ValidationError("The words to find and the new words are the same.", code="nothing")
        return data

    def recipe(self) -> Replacement:
        """The replacement, once valid."""
        data = self.cleaned_data
        chosen = tuple(data["fields_"])
        return Replacement(data["find"], data["to"], chosen, data["match_case"], data["whole_words"])


def _numbers(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
