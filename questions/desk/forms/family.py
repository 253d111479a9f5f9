"""The form for what a family shares: domain, pool, kind, the stem with its place for the clause, the options."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from questions.desk.forms.rows import OptionForm, words
from questions.desk.reads.editor import Choices
from questions.lint.rules import STEM_WORDS
from questions.versions.models.drafts import Kind, Pool, Question
from questions.versions.rules.family import CLAUSE, Shared, SharedOption


class SharedForm(forms.Form):
    domain = forms.ChoiceField(label="Domain")
    kind = forms.ChoiceField(label="Kind", choices=Kind.choices, widget=forms.RadioSelect)
    pool = forms.ChoiceField(label="Pool", choices=Pool.choices, widget=forms.RadioSelect)
    stem = words("Stem", 9, f"Put {CLAUSE} where the questions differ.", *STEM_WORDS[::-1])

    def __init__(self, choices: Choices, members: Sequence[Question], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.members = members
        self.fields["domain"].choices = choices.domains  # type: ignore[attr-defined]

    def clean_stem(self) -> str:
        """The stem has one place for the clause, and no clause stands elsewhere in it."""
        stem: str = self.cleaned_data["stem"]
        if stem.count(CLAUSE) != 1:
            raise forms.ValidationError(f"Include {CLAUSE} exactly once.", code="place")
        if any(member.clause in stem for member in self.members):
            raise forms.ValidationError("This contains the clause of one of the questions.", code="clause")
        return stem


class SharedOptionForm(OptionForm):
    """An option as all questions of the family show it; which are right, each question says for itself."""

    right = None  # type: ignore[assignment]
    why = None  # type: ignore[assignment]


OPTIONS = forms.formset_factory(SharedOptionForm, extra=0)


@dataclass
class FamilyEditor:
    shared: SharedForm
    options: Any

    def is_valid(self) -> bool:
        """Whether it can be stored; both parts are looked at, so that all is marked at once."""
        return all([self.shared.is_valid(), self.options.is_valid()])

    def typed(self, stored: Shared) -> Shared:
        """What was typed, after ``is_valid``; options keep their slots."""
        data = self.shared.cleaned_data
        options = [_option(old, form.cleaned_data) for old, form in zip(stored.options, self.options, strict=True)]
        return Shared(data["domain"], data["pool"], data["kind"], data["stem"], tuple(options))


def family_editor(
    choices: Choices, members: Sequence[Question], stored: Shared, data: Mapping[str, Any] | None = None
) -> FamilyEditor:
    """The form as a family fills it, or as it was sent. Its rows are those that are stored, whatever was sent."""
    options = [dataclasses.asdict(option) for option in stored.options]
    if data is not None:
        data = {**{name: data[name] for name in data}, "options-TOTAL_FORMS": len(options)}
    rows = OPTIONS(data, prefix="options", initial=options, form_kwargs={"choices": choices})
    return FamilyEditor(SharedForm(choices, members, data, initial=dataclasses.asdict(stored)), rows)


def _option(old: SharedOption, data: Mapping[str, Any]) -> SharedOption:
    texts = {name: data.get(name, "") for name in ("text", "tempts", "right_if", "never")}
    return SharedOption(slot=old.slot, concept=data.get("concept") or None, **texts)
