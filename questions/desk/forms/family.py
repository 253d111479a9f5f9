"""The forms for a family: what it shares, a new one from scratch, and another variant."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from questions.desk.forms.rows import OptionForm, words
from questions.desk.forms.variants import VariantPart, refuse_same_clauses, variant_parts
from questions.desk.reads.editor import Choices
from questions.lint.rules import STEM_WORDS
from questions.versions.models.drafts import Kind, Pool, Question
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.family import CLAUSE, Own, Shared, SharedOption

NAME_ERRORS = {"invalid": "Use lower-case words joined by hyphens."}


class SharedForm(forms.Form):
    domain = forms.ChoiceField(label="Domain")
    kind = forms.ChoiceField(label="Type", choices=Kind.choices, widget=forms.RadioSelect)
    pool = forms.ChoiceField(label="Pool", choices=Pool.choices, widget=forms.RadioSelect)
    stem = words("Stem", 9, f"Put {CLAUSE} where the questions differ.", *STEM_WORDS[::-1])

    def __init__(self, choices: Choices, clauses: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.clauses = clauses
        self.fields["domain"].choices = choices.domains  # type: ignore[attr-defined]

    def clean_stem(self) -> str:
        """The stem has one place for the clause, and contains no clause elsewhere."""
        stem: str = self.cleaned_data["stem"]
        if stem.count(CLAUSE) != 1:
            raise forms.ValidationError(f"Include {CLAUSE} exactly once.", code="place")
        if any(clause in stem for clause in self.clauses):
            raise forms.ValidationError("This contains the clause of one of the questions.", code="clause")
        return stem


class SharedOptionForm(OptionForm):
    """An option shared by the family's questions; which ones are right is set per question."""

    right = None  # type: ignore[assignment]
    why = None  # type: ignore[assignment]


class NewOptionForm(SharedOptionForm):
    """An option without a slot yet."""

    slot = None  # type: ignore[assignment]


class VariantForm(forms.Form):
    """What a variant starts with."""

    title = forms.CharField(label="Title", max_length=120, help_text="Names the topic, never the answer.")
    clause = words("Clause", 3, "The part of the stem that sets this variant apart: a need, a limit, a figure.")

    def __init__(self, *args: Any, stem: str = "", taken: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stem, self.taken = stem, taken
        self.fields["clause"].required = True

    def clean_clause(self) -> str:
        """The clause occurs only in its place in the stem, and only in this variant."""
        clause: str = self.cleaned_data["clause"].strip()
        if not clause:
            raise forms.ValidationError(self.fields["clause"].error_messages["required"], code="required")
        refuse_clause(self.stem, clause)
        if clause in self.taken:
            raise forms.ValidationError("Another variant has this clause.", code="taken")
        return clause


class FirstClauseForm(VariantForm):
    """Another variant of a question that isn't in a family yet: its own clause has to be found in its stem first."""

    key = forms.SlugField(
        label="Family’s permanent name", max_length=100,
        help_text="Lower-case words joined by hyphens. It can’t be changed later.", error_messages=NAME_ERRORS,
    )  # fmt: skip
    first = words("This question’s clause", 3, "Copy the words of the stem that the new variant replaces.")
    field_order = ("key", "first", "title", "clause")

    def clean_first(self) -> str:
        """Words that occur once in the stem, as written there: copying changes line endings."""
        words_of = [re.escape(word) for word in self.cleaned_data["first"].split()]
        found = re.findall(r"\s+".join(words_of), self.stem) if words_of else []
        if len(found) != 1 or self.stem.count(found[0]) != 1 or CLAUSE in self.stem:
            raise forms.ValidationError("These words must appear exactly once in the stem.", code="clause")
        first: str = found[0]
        return first

    def clean_clause(self) -> str:
        """Checked against the stem without the other clause."""
        first = self.cleaned_data.get("first")
        if first:
            self.stem, self.taken = self.stem.replace(first, CLAUSE), [first]
            return super().clean_clause()
        clause: str = self.cleaned_data["clause"]
        return clause


def refuse_clause(stem: str, clause: str) -> None:
    """Raises ValidationError for a clause that the shared stem repeats, or that contains a clause placeholder."""
    if stem.replace(CLAUSE, clause).count(clause) != 1 or CLAUSE in clause:
        raise forms.ValidationError("These words are also in the shared stem.", code="repeated")


class NewFamilyForm(SharedForm):
    """What a new family shares, and its name."""

    key = forms.SlugField(
        label="Permanent name", max_length=100, required=False,
        help_text="Lower-case words joined by hyphens. If you leave it empty, it’s made from the first title.",
        error_messages=NAME_ERRORS,
    )  # fmt: skip
    field_order = ("key", "domain", "kind", "pool", "stem")


OPTIONS = forms.formset_factory(SharedOptionForm, extra=0)
NEW_OPTIONS = forms.formset_factory(NewOptionForm, extra=6, max_num=6, absolute_max=6)
NEW_VARIANTS = forms.formset_factory(VariantForm, extra=4, max_num=4, absolute_max=4)


@dataclass
class FamilyEditor:
    """What a family shares, and its variants side by side. ``elsewhere`` are clauses that weren't sent."""

    shared: SharedForm
    options: Any
    variants: list[VariantPart]
    elsewhere: Sequence[str] = ()

    def is_valid(self) -> bool:
        """Whether it can be stored; all parts are checked, so that all errors show at once."""
        valid = all([self.shared.is_valid(), self.options.is_valid(), *[part.is_valid() for part in self.variants]])
        return valid and self._variants_fit()

    def own(self) -> dict[int, Own]:
        """Each variant's own parts, by question, after ``is_valid``."""
        return {part.question.pk: part.own() for part in self.variants}

    def _variants_fit(self) -> bool:
        stem = self.shared.cleaned_data["stem"]
        phrases = [part.refuse_strange_phrases(stem) for part in self.variants]
        return all([refuse_same_clauses(self.variants, self.elsewhere), *phrases])

    def typed(self, stored: Shared) -> Shared:
        """What was typed, after ``is_valid``; options keep their slots."""
        data = self.shared.cleaned_data
        options = [_option(old.slot, form.cleaned_data) for old, form in zip(stored.options, self.options, strict=True)]
        return Shared(data["domain"], data["pool"], data["kind"], data["stem"], tuple(options))


@dataclass
class NewFamily:
    """The form for a new family: what is shared, options, variants. Empty rows are ignored."""

    shared: NewFamilyForm
    options: Any
    variants: Any

    def is_valid(self) -> bool:
        """Whether it can be stored; all parts are checked, so that all errors show at once."""
        valid = all([self.shared.is_valid(), self.options.is_valid(), self.variants.is_valid()])
        return all([valid, self._has_options(), self._clauses_fit()])

    def typed(self) -> Shared:
        """What is shared, after ``is_valid``; options get slots in order."""
        data = self.shared.cleaned_data
        filled = [form.cleaned_data for form in self.options if not form.is_blank()]
        options = tuple(_option(slot, row) for slot, row in enumerate(filled, start=1))
        return Shared(data["domain"], data["pool"], data["kind"], data["stem"], options)

    def started(self) -> list[tuple[str, str]]:
        """Title and clause of each variant, after ``is_valid``."""
        return [(form.cleaned_data["title"], form.cleaned_data["clause"]) for form in self._filled()]

    def _filled(self) -> list[VariantForm]:
        return [form for form in self.variants if form.has_changed() and not form.errors]

    def _has_options(self) -> bool:
        filled = [form for form in self.options if not form.errors and not form.is_blank()]
        if len(filled) < 2 and not any(form.errors for form in self.options):
            self.shared.add_error(None, forms.ValidationError("A family needs at least two options.", code="options"))
        return len(filled) >= 2

    def _clauses_fit(self) -> bool:
        """Check each clause against the stem, and that none is repeated."""
        stem, taken = self.shared.cleaned_data.get("stem", CLAUSE), set()
        for form in self._filled():
            clause = form.cleaned_data["clause"]
            if clause in taken:
                form.add_error("clause", forms.ValidationError("Another variant has this clause.", code="taken"))
            taken.add(clause)
            try:
                refuse_clause(stem, clause)
            except forms.ValidationError as error:
                form.add_error("clause", error)
        if not taken and not any(form.errors for form in self.variants):
            self.variants.forms[0].add_error(
                "clause", forms.ValidationError("Start with one variant.", code="required")
            )
        return not any(form.errors for form in self.variants)


def new_family(choices: Choices, data: Mapping[str, Any] | None = None) -> NewFamily:
    """The form for a new family, blank or as sent."""
    if data is not None:
        totals = {"options-TOTAL_FORMS": 6, "variants-TOTAL_FORMS": 4}
        firsts = {"options-INITIAL_FORMS": 0, "variants-INITIAL_FORMS": 0}
        data = {**{name: data[name] for name in data}, **totals, **firsts}
    options = NEW_OPTIONS(data, prefix="options", form_kwargs={"choices": choices})
    variants = NEW_VARIANTS(data, prefix="variants", form_kwargs={"stem": CLAUSE})
    facts = {"kind": Kind.SINGLE, "pool": Pool.RESERVED}
    return NewFamily(NewFamilyForm(choices, (), data, initial=facts), options, variants)


def family_editor(
    choices: Choices, members: Sequence[Question], stored: Shared, data: Mapping[str, Any] | None = None
) -> FamilyEditor:
    """The form filled from a family, or as sent. Its rows are the stored ones, whatever was sent."""
    options = [dataclasses.asdict(option) for option in stored.options]
    if data is not None:
        data = {**_lists(data), "options-TOTAL_FORMS": len(options)}
        data = MultiValueDict({name: value if isinstance(value, list) else [value] for name, value in data.items()})
    rows = OPTIONS(data, prefix="options", initial=options, form_kwargs={"choices": choices})
    variants = variant_parts(members, {each.pk: draft_of(each) for each in members}, stored, data)
    sent = {part.question.pk: str(part.form["clause"].value() or "").strip() for part in variants}
    clauses = [sent.get(each.pk, each.clause) for each in members]
    elsewhere = [each.clause for each in members if each.pk not in sent]
    shared = SharedForm(choices, [each for each in clauses if each], data, initial=dataclasses.asdict(stored))
    return FamilyEditor(shared, rows, variants, elsewhere)


def _lists(data: Mapping[str, Any]) -> dict[str, Any]:
    """All values of each field: a variant can have several right options."""
    return {name: data.getlist(name) for name in data} if isinstance(data, MultiValueDict) else dict(data)


def _option(slot: int, data: Mapping[str, Any]) -> SharedOption:
    texts = {name: data.get(name, "") for name in ("text", "tempts", "right_if", "never")}
    return SharedOption(slot=slot, concept=data.get("concept") or None, **texts)
