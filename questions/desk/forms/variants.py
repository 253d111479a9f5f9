"""A family's variants side by side: each one's own parts, in its own form."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import mark_safe

from courseiva.common.rich_text import render_inline
from questions.desk.forms.rows import ROWS, filled_rows, words
from questions.versions.models.drafts import Question
from questions.versions.rules.draft import DraftClue, DraftQuestion
from questions.versions.rules.family import CLAUSE, Own, Shared


class OwnForm(forms.Form):
    """Topic, clause and key of one variant."""

    title = forms.CharField(label="Title", max_length=120, required=False)
    clause = words("Clause", 3)
    right = forms.TypedMultipleChoiceField(
        label="Right options", required=False, coerce=int, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, shared: Shared, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["clause"].required = True
        choices = [
            (option.slot, format_html("<span>{}: {}</span>", option.slot, mark_safe(render_inline(option.text))))  # noqa: S308 - sanitised
            for option in shared.options
        ]
        self.fields["right"].choices = choices  # type: ignore[attr-defined]

    def clean_clause(self) -> str:
        """Just the words; the placeholder belongs to the stem."""
        clause: str = self.cleaned_data["clause"].strip()
        if not clause:
            raise forms.ValidationError(self.fields["clause"].error_messages["required"], code="required")
        if CLAUSE in clause:
            raise forms.ValidationError(f"{CLAUSE} belongs in the shared stem.", code="place")
        return clause


@dataclass
class VariantPart:
    """One variant on the page. If nothing was sent for it, as by a page without it, it doesn't change."""

    question: Question
    form: OwnForm
    clues: Any

    def is_valid(self) -> bool:
        """Whether it can be stored. Both forms are always checked, so that all errors show at once."""
        return all([self.form.is_valid(), self.clues.is_valid()])

    def own(self) -> Own:
        """What was typed, after ``is_valid``."""
        data = self.form.cleaned_data
        clues = [
            DraftClue(row["phrase"], row["why"], tuple(row["confirms"]), tuple(row["rules_out"]))
            for row in (form.cleaned_data for form in filled_rows(self.clues))
        ]
        return Own(data["title"], data["clause"], tuple(data["right"]), tuple(clues))

    def refuse_strange_phrases(self, stem: str) -> bool:
        """Add an error to each clue missing from the variant's stem; returns whether none is missing."""
        whole = " ".join(stem.replace(CLAUSE, self.form.cleaned_data["clause"]).split())
        for form in filled_rows(self.clues):
            if " ".join(form.cleaned_data.get("phrase", "").split()) not in whole:
                form.add_error("phrase", forms.ValidationError("These words aren’t in the stem.", code="elsewhere"))
        return not any(form.errors for form in self.clues)


def variant_parts(
    members: Sequence[Question], drafts: Mapping[int, DraftQuestion], shared: Shared, data: Mapping[str, Any] | None
) -> list[VariantPart]:
    """The variants as stored, or as typed for those that were sent."""
    parts = []
    for each in members:
        prefix = f"v{each.pk}"
        if data is not None and f"{prefix}-clause" not in data:
            continue
        draft = drafts[each.pk]
        initial = {"title": draft.title, "clause": draft.clause, "right": list(draft.right_slots)}
        rows = [dataclasses.asdict(clue) for clue in draft.clues]
        form = OwnForm(shared, data, prefix=prefix, initial=initial)
        clues = ROWS["clues"](data, prefix=f"{prefix}-clues", initial=rows)
        slots = [(option.slot, str(option.slot)) for option in shared.options]
        for row in clues:
            for name in ("confirms", "rules_out"):
                row.fields[name].widget.choices = slots
        parts.append(VariantPart(each, form, clues))
    return parts


def refuse_same_clauses(parts: Sequence[VariantPart], others: Sequence[str]) -> bool:
    """Add an error to a clause shared by two variants; returns whether there is none."""
    taken = list(others)
    for part in parts:
        clause = part.form.cleaned_data["clause"]
        if clause in taken:
            part.form.add_error("clause", forms.ValidationError("Another variant has this clause.", code="taken"))
        taken.append(clause)
    return not any(part.form.errors for part in parts)
