"""Forms of practice: the sitting without script, the mock's start page, the drill's choices."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from practice.drills import DrillChoice
from practice.models import MissClass, Outcome, PracticeSession
from practice.selectors.plans import PlanLimits
from practice.selectors.sittings import CLOSED, base_of
from practice.wire import MAX_ITEMS, MAX_NUMBER, ItemState
from questions.masks import places_from_mask
from questions.models import Blueprint, Concept, Difficulty, Exam, Kind

TIME_FACTORS = [
    ("1", "As in the exam"),
    ("1.25", "25 % more time"),
    ("1.5", "50 % more time"),
    ("2", "Twice the time"),
    ("3", "Three times the time"),
    ("5", "Five times the time"),
    ("10", "Ten times the time"),
    ("0", "Untimed"),
]
ORDER_WORDS = [
    ("unseen", "Not seen yet"),
    ("weak", "Weak sections"),
    ("missed", "Only what I missed"),
    ("due", "Only what is due for review"),
    ("bookmarked", "Only bookmarked"),
    ("guide", "Unseen, shared as in the exam"),
    ("random", "By chance"),
]
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MAX_DRILL = 100
MAX_NOTE = 4000
MAX_DIGITS = 10


def form_state(post: QueryDict) -> int:
    """The writer number the page was drawn with; one that cannot be read counts as an old page's."""
    number = small_number(post.get("writer", ""))
    return number if number <= MAX_NUMBER else 0


def small_number(text: str) -> int:
    """A number a page of ours has sent; 0 for anything else, so for one of more digits than can be a place."""
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else 0


def changed_states(session: PracticeSession, post: QueryDict, only: int | None = None) -> list[ItemState]:
    """What a page without script changed against what it was drawn with.

    The field ``base`` holds that, one part for each question in order (see ``ItemView.base``); a question without a
    part is not on that page. ``only`` asks for that position alone, changed or not. All get one sequence, so that the
    last of them counts as the place where the learner left.
    """
    states = []
    items = list(session.items.order_by("position"))
    sequence = 1 + max((item.sequence for item in items), default=0)
    base = post.get("base", "")
    drawn = dict(enumerate(base.split(";"), start=1)) if "base" in post else {}
    for item in items:
        n = item.position
        if (only is not None and n != only) or drawn.get(n, CLOSED) == CLOSED:
            continue
        chosen = sorted({int(place) for place in post.getlist(f"a-{n}") if place.isdecimal() and len(place) < 4})
        flagged = f"f-{n}" in post
        confidence = _confidence(post, n)
        if only is None and drawn[n] == base_of(chosen, flagged) and confidence is None:
            continue
        states.append(
            ItemState(
                position=n,
                sequence=sequence,
                selected=tuple(chosen),
                struck=tuple(places_from_mask(item.struck, item.option_order)),
                flagged=flagged,
                confidence=confidence or item.confidence,
                seconds=item.seconds,
                displayed=False,
            )
        )
    return states


def _confidence(post: QueryDict, position: int) -> int | None:
    value = post.get(f"c-{position}", "")
    return int(value) if value in ("1", "2", "3") else None


class MockForm(forms.Form):
    """How a mock is to run. ``guide`` is there after ``is_valid()``; ``offer`` limits the lengths shown."""

    blueprint = forms.ModelChoiceField(Blueprint.objects.none(), to_field_name="key", widget=forms.HiddenInput)
    count = forms.TypedChoiceField(label="Length", coerce=int, widget=forms.RadioSelect)
    time_factor = forms.TypedChoiceField(label="Time", choices=TIME_FACTORS, coerce=Decimal)
    conditions = forms.ChoiceField(
        label="Clock", choices=[("exam", "Exam conditions"), ("pausable", "Pausable")], widget=forms.RadioSelect
    )

    pool = forms.ChoiceField(choices=[("public", "Public")], required=False, widget=forms.HiddenInput)

    def __init__(self, exam_slug: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["blueprint"].queryset = (  # type: ignore[attr-defined]
            Blueprint.objects.filter(exam__slug=exam_slug).select_related("exam")
        )
        self.fields["count"].choices = [(n, n) for n in range(1, MAX_ITEMS + 1)]  # type: ignore[attr-defined]

    @property
    def is_public(self) -> bool:
        """Its page said that it takes public questions alone."""
        return self.cleaned_data["pool"] == "public"

    @property
    def guide(self) -> Blueprint:
        """The guide that was chosen."""
        return self.cleaned_data["blueprint"]

    def clean(self) -> dict[str, Any]:
        """No mock is longer than the exam."""
        data = super().clean() or {}
        if "count" in data and "blueprint" in data and data["count"] > data["blueprint"].question_count:
            self.add_error("count", f"The exam has {data['blueprint'].question_count} questions, and no mock has more.")
        return data

    def offer(self, lengths: Sequence[tuple[int, int]]) -> None:
        """Show these lengths: (questions, minutes)."""
        choices = [(count, f"{count} questions, {minutes} minutes") for count, minutes in lengths]
        self.fields["count"].choices = choices  # type: ignore[attr-defined]


class DrillForm(forms.Form):
    """The learner's own choice of a drill; ``from_address`` fills it from a link."""

    domain = forms.MultipleChoiceField(label="Sections", required=False, widget=forms.CheckboxSelectMultiple)
    concept = forms.MultipleChoiceField(label="Concepts", required=False, widget=forms.CheckboxSelectMultiple)
    difficulty = forms.MultipleChoiceField(
        label="Difficulty", required=False, choices=Difficulty.choices, widget=forms.CheckboxSelectMultiple
    )
    kind = forms.MultipleChoiceField(
        label="Kind", required=False, choices=Kind.choices, widget=forms.CheckboxSelectMultiple
    )
    size = forms.IntegerField(label="Questions", min_value=1, max_value=MAX_DRILL, initial=10, required=False)
    order = forms.ChoiceField(label="Which first", choices=ORDER_WORDS, initial="unseen", required=False)
    miss = forms.ChoiceField(label="Why I missed it", choices=[("", "Any"), *MissClass.choices], required=False)
    minutes = forms.FloatField(label="Minutes per question", min_value=0.5, max_value=20, required=False)
    feedback = forms.ChoiceField(
        label="Answers are judged",
        choices=[("each", "at once"), ("end", "at the end")],
        initial="each",
        required=False,
        widget=forms.RadioSelect,
    )
    confidence = forms.BooleanField(label="Ask how sure I am: Check becomes Sure, Unsure and Guess", required=False)
    sitting = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, exam: Exam, data: MultiValueDict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        names = exam.blueprints.filter(is_current=True).order_by("domains__domain__number")
        rows = names.values_list("domains__domain__key", "domains__domain__number", "domains__name")
        self.domain_names = {key: f"{number} {name}" for key, number, name in rows}
        concepts = Concept.objects.filter(domain__exam=exam).order_by("domain__number", "pk")
        self.concept_groups: dict[str, list[tuple[str, str]]] = {}
        for domain, key, name in concepts.values_list("domain__key", "key", "name"):
            self.concept_groups.setdefault(self.domain_names.get(domain, domain), []).append((key, name))
        self.concept_names = {key: name for group in self.concept_groups.values() for key, name in group}
        self.fields["domain"].choices = list(self.domain_names.items())  # type: ignore[attr-defined]
        self.fields["concept"].choices = list(self.concept_groups.items())  # type: ignore[attr-defined]

    @classmethod
    def from_address(cls, exam: Exam, query: QueryDict) -> DrillForm:
        """The form as a link fills it; ``has_choices`` tells whether it did."""
        lists = {"domain", "concept", "difficulty", "kind"}
        known = {
            name: query.getlist(name) if name in lists else query[name] for name in cls.base_fields if name in query
        }
        return cls(exam, initial=known)

    @property
    def has_choices(self) -> bool:
        """Something was chosen already, in the address or by sending the form."""
        return bool(self.initial) or self.is_bound

    @property
    def always(self) -> list[forms.BoundField]:
        """Fields that have a value whatever was sent."""
        return [self["size"], self["order"]]

    @property
    def concepts_chosen(self) -> bool:
        """A concept is among the choices, so that their list stands open."""
        return bool(self["concept"].value())

    def choice(self) -> DrillChoice:
        """The drill that was asked for; call after ``is_valid()``."""
        data = self.cleaned_data
        return DrillChoice(
            size=data["size"] or 10,
            domains=tuple(data["domain"]),
            concepts=tuple(data["concept"]),
            difficulties=tuple(data["difficulty"]),
            kinds=tuple(data["kind"]),
            order=data["order"] or "unseen",
            minutes_each=data["minutes"],
            feedback_each=(data["feedback"] or "each") == "each",
            ask_confidence=data["confidence"],
            label=self.label(),
            sitting=data["sitting"],
            miss=data["miss"],
        )

    def label(self) -> str:
        """The choice in words, for the history."""
        data = self.cleaned_data
        parts = [self.domain_names[key] for key in data["domain"]]
        parts += [self.concept_names[key] for key in data["concept"]]
        parts += data["difficulty"] + [dict(Kind.choices)[kind] for kind in data["kind"]]
        words = {
            "missed": "missed before",
            "due": "questions due",
            "bookmarked": "bookmarked",
            "weak": "weak sections first",
        }
        if data["order"] in words:
            parts.append(words[data["order"]])
        if data["miss"]:
            parts.append(f"missed: {MissClass(data['miss']).label.lower()}")
        return (", ".join(parts) or "All sections")[:120]


class NoteText(forms.CharField):
    """Text whose line ends count as one character each, as the browser counts them."""

    def to_python(self, value: Any) -> str:
        """Without the carriage returns that forms are sent with."""
        return super().to_python((value or "").replace("\r\n", "\n").replace("\0", "")) or ""


class NoteForm(forms.Form):
    """The private note on a question."""

    text = NoteText(label="Private note", max_length=MAX_NOTE, required=False, widget=forms.Textarea)


class MissForm(forms.Form):
    """Why an answer was missed; empty takes it back."""

    miss = forms.ChoiceField(choices=MissClass.choices, required=False)


class DayInput(forms.DateInput):
    """A browser's own field for a day. What is no day stays out of it: a browser would not show it, only complain."""

    input_type = "date"

    def format_value(self, value: Any) -> str | None:
        """The day as browsers want it, or nothing."""
        text = super().format_value(value)
        return text if text and DAY.fullmatch(str(text)) else None


class PlanForm(forms.Form):
    """When the real exam is, and how many minutes a day there are for it. Both may stay empty.

    A date that is kept already may have passed since it was set, and stays; a new one is checked with ``limits``.
    """

    exam_date = forms.DateField(label="Date of your exam", required=False, widget=DayInput)
    minutes_a_day = forms.IntegerField(label="Minutes a day", min_value=5, max_value=600, required=False)

    def __init__(self, *args: Any, limits: PlanLimits | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.limits = limits

    def clean_exam_date(self) -> dt.date | None:
        """A day to come, or the one that is kept already."""
        day: dt.date | None = self.cleaned_data["exam_date"]
        if day and self.limits and day < self.limits.today and day != self.limits.known:
            raise forms.ValidationError("This day has passed. Choose today or a later day, or leave the date empty.")
        return day


class OutcomeForm(forms.Form):
    """How the real exam went."""

    outcome = forms.ChoiceField(choices=Outcome.choices)
