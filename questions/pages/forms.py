"""The filters of the question list and the search, as query parameters."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django import forms

from questions.catalogue.models import Concept, Domain, Exam
from questions.versions.models.drafts import Difficulty, Kind
from questions.versions.reads.public import printed_name

MAX_TEXT = 100
"""About fifteen words; MOST_TERMS allows eight."""


@dataclass(frozen=True)
class ConceptChoice:
    """A selectable concept."""

    key: str
    name: str
    is_chosen: bool


@dataclass(frozen=True)
class ConceptGroup:
    name: str
    concepts: list[ConceptChoice]


class SearchForm(forms.Form):
    q = forms.CharField(label="Words", max_length=MAX_TEXT, required=False)
    page = forms.CharField(required=False, widget=forms.HiddenInput)


class QuestionFilter(SearchForm):
    """Repeated parameters widen a filter; different ones narrow it."""

    domain = forms.MultipleChoiceField(label="Domain", required=False, widget=forms.CheckboxSelectMultiple)
    difficulty = forms.MultipleChoiceField(
        label="Difficulty", required=False, choices=Difficulty.choices, widget=forms.CheckboxSelectMultiple
    )
    kind = forms.MultipleChoiceField(
        label="Type", required=False, choices=Kind.choices, widget=forms.CheckboxSelectMultiple
    )
    concept = forms.MultipleChoiceField(label="Concept", required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(self, exam: Exam, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        domains = Domain.objects.filter(exam=exam).annotate(name=printed_name("pk"))
        concepts = Concept.objects.filter(domain__exam=exam).order_by("domain__number", "name")
        names = {d.pk: f"{d.number} {d.name or d.key}" for d in domains}
        self.concepts = [
            (names[domain], key, name) for domain, key, name in concepts.values_list("domain", "key", "name")
        ]
        choices = {
            "domain": [(d.key, names[d.pk]) for d in domains],
            "concept": [(key, name) for _, key, name in self.concepts],
        }
        for field, values in choices.items():
            self.fields[field].choices = values  # type: ignore[attr-defined]

    def concept_groups(self) -> list[ConceptGroup]:
        """All concepts by domain, with the selected ones ticked."""
        ticked = set(self.cleaned_data.get("concept", []))
        return [
            ConceptGroup(domain, [ConceptChoice(key, name, key in ticked) for _, key, name in rows])
            for domain, rows in groupby(self.concepts, key=lambda row: row[0])
        ]

    def chosen(self) -> dict[str, Any]:
        """The valid filters; anything the exam doesn't have is left out."""
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value and name != "page"}

    def words(self) -> list[str]:
        """The valid filters, in words."""
        words = []
        for name in ("domain", "concept", "difficulty", "kind"):
            labels = dict(self.fields[name].choices)  # type: ignore[attr-defined]
            words += [str(labels[value]) for value in self.cleaned_data.get(name, [])]
        return words
