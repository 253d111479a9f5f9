"""The forms that start a session: the mock's start page, the drill's choices."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict

from practice.sessions.models import MissClass
from practice.sessions.player.rules import MAX_ITEMS
from practice.start.reads.fitting import DrillChoice
from practice.start.rules import Order, State
from questions.catalogue.models import Blueprint, Concept, Exam
from questions.versions.models.drafts import Difficulty, Kind

TIME_FACTORS = [
    ("1", "Same as the exam"),
    ("1.25", "25% more time"),
    ("1.5", "50% more time"),
    ("2", "Twice the time"),
    ("3", "Three times the time"),
    ("5", "Five times the time"),
    ("10", "Ten times the time"),
    ("0", "Untimed"),
]
STATE_WORDS = [
    (State.ALL, "All"),
    (State.UNSEEN, "Unseen"),
    (State.MISSED, "Missed"),
    (State.GUESSED, "Guessed"),
    (State.STARRED, "Starred"),
    (State.DUE, "Due for review"),
]
ORDER_WORDS = [
    (Order.UNSEEN, "Unseen first"),
    (Order.WEAK, "Weak domains first"),
    (Order.GUIDE, "Split as in the exam"),
    (Order.RANDOM, "Random"),
]
# These were once orders and are now states; old links and pages still use the names.
FORMER_ORDERS = {
    "missed": (State.MISSED, Order.UNSEEN),
    "due": (State.DUE, Order.UNSEEN),
    "starred": (State.STARRED, Order.UNSEEN),
    "guide": (State.UNSEEN, Order.GUIDE),
}
MAX_DRILL = 100
"""All prompts of a session are on one page, and sixty take 35 kB compressed (decision 0013)."""
BOUNDS = {"min_value": "Enter %(limit_value)s or more.", "max_value": "Enter %(limit_value)s or less."}
DEFAULTS = {"size": "10", "state": str(State.ALL), "order": str(Order.UNSEEN), "feedback": "each"}
LISTS = ("domain", "concept", "difficulty", "kind")


class MockForm(forms.Form):
    """A mock's settings. ``chosen`` is set by ``is_valid()``; ``offer`` limits the lengths shown."""

    blueprint = forms.ModelChoiceField(Blueprint.objects.none(), to_field_name="key", widget=forms.HiddenInput)
    count = forms.TypedChoiceField(label="Length", coerce=int, widget=forms.RadioSelect)
    time_factor = forms.TypedChoiceField(label="Time", choices=TIME_FACTORS, coerce=Decimal)
    conditions = forms.ChoiceField(
        label="Clock",
        choices=[("exam", "Exam conditions"), ("pausable", "Pausable")],
        widget=forms.RadioSelect,
        help_text="Exam conditions: the clock keeps running when you close this page. Pausable: you can stop it, and "
        "the result shows how often and for how long.",
    )

    medium = forms.ChoiceField(
        label="Where",
        choices=[("screen", "On screen"), ("paper", "On paper")],
        required=False,
        widget=forms.RadioSelect,
        help_text="On paper: you print a booklet, then type your answers in. The clock starts when you press Start, so "
        "printing and typing take some of the time; choose more time if you want all of it for the questions.",
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
        """Whether its page said that it takes only public questions."""
        return self.cleaned_data["pool"] == "public"

    @property
    def is_paper(self) -> bool:
        """Whether it starts with the printable booklet."""
        return self.cleaned_data["medium"] == "paper"

    @property
    def chosen(self) -> Blueprint:
        return self.cleaned_data["blueprint"]

    def clean(self) -> dict[str, Any]:
        """No mock is longer than the exam."""
        data = super().clean() or {}
        if "count" in data and "blueprint" in data and data["count"] > data["blueprint"].question_count:
            self.add_error(
                "count", f"A mock exam has at most {data['blueprint'].question_count} questions, as in the exam."
            )
        return data

    def offer(self, lengths: Sequence[tuple[int, int]]) -> None:
        """Show these lengths: (questions, minutes)."""
        choices = [(count, f"{count} questions, {minutes} minutes") for count, minutes in lengths]
        self.fields["count"].choices = choices  # type: ignore[attr-defined]


class DrillForm(forms.Form):
    """The learner's settings for a drill, from a form or a link; anything left out is the default.

    ``expects`` is how many questions its page said the drill would have.
    """

    domain = forms.MultipleChoiceField(label="Domains", required=False, widget=forms.CheckboxSelectMultiple)
    concept = forms.MultipleChoiceField(label="Concepts", required=False, widget=forms.CheckboxSelectMultiple)
    difficulty = forms.MultipleChoiceField(
        label="Difficulty", required=False, choices=Difficulty.choices, widget=forms.CheckboxSelectMultiple
    )
    kind = forms.MultipleChoiceField(
        label="Question type", required=False, choices=Kind.choices, widget=forms.CheckboxSelectMultiple
    )
    size = forms.IntegerField(
        label="Number of questions", min_value=1, max_value=MAX_DRILL, initial=10, required=False, error_messages=BOUNDS
    )
    state = forms.ChoiceField(label="Questions", choices=STATE_WORDS, required=False, widget=forms.RadioSelect)
    order = forms.ChoiceField(label="Order", choices=ORDER_WORDS, initial=Order.UNSEEN, required=False)
    miss = forms.ChoiceField(label="Why I missed them", choices=[("", "Any"), *MissClass.choices], required=False)
    minutes = forms.FloatField(
        label="Minutes per question", min_value=0.5, max_value=20, required=False, error_messages=BOUNDS
    )
    feedback = forms.ChoiceField(
        label="Mark my answers",
        choices=[("each", "as I go"), ("end", "at the end")],
        initial="each",
        required=False,
        widget=forms.RadioSelect,
    )
    confidence = forms.BooleanField(
        label="Ask how sure I am (press Sure, Unsure or Guessing instead of Check)", required=False
    )
    session = forms.UUIDField(required=False, widget=forms.HiddenInput)
    objective = forms.CharField(max_length=10, required=False)
    expects = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)

    def __init__(self, exam: Exam, data: QueryDict) -> None:
        super().__init__(_filled(data))
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
    def is_in(cls, query: QueryDict) -> bool:
        """Whether a query string contains a drill's choices."""
        return any(name in cls.base_fields for name in query)

    @property
    def is_complete(self) -> bool:
        """Whether every field was understood, whatever else may be wrong with the choice."""
        return not self.errors or self.cleaned_data.keys() >= self.fields.keys()

    def pairs(self) -> list[tuple[str, str]]:
        """The choice for a query string, without defaults; it names no session. Call after ``is_valid()``.

        With an order that was once a state too, the state is included even if it is the default.
        """
        found = [(name, value) for name in LISTS for value in self.cleaned_data[name]]
        named = {"state"} if self.cleaned_data["order"] in FORMER_ORDERS else set()
        for name in ("objective", "state", "miss", "order", "size", "minutes", "feedback"):
            value = self.cleaned_data[name]
            if value not in (None, "") and (name in named or str(value) != DEFAULTS.get(name)):
                found.append((name, f"{value:g}" if isinstance(value, float) else str(value)))
        return [*found, ("confidence", "on")] if self.cleaned_data["confidence"] else found

    def choice(self) -> DrillChoice:
        """The requested drill; call after ``is_valid()``."""
        data = self.cleaned_data
        return DrillChoice(
            size=data["size"] or 10,
            domains=tuple(data["domain"]),
            concepts=tuple(data["concept"]),
            difficulties=tuple(data["difficulty"]),
            kinds=tuple(data["kind"]),
            state=State(data["state"] or State.ALL),
            order=Order(data["order"] or Order.UNSEEN),
            minutes_each=data["minutes"],
            feedback_each=(data["feedback"] or "each") == "each",
            ask_confidence=data["confidence"],
            label=self.label(),
            session=data["session"],
            miss=data["miss"],
            objective=data["objective"],
            expects=data["expects"],
        )

    def label(self) -> str:
        """The choice in words, for the history."""
        data = self.cleaned_data
        parts = [self.domain_names[key] for key in data["domain"]]
        parts += [self.concept_names[key] for key in data["concept"]]
        parts += [f"Objective {data['objective']}"] if data["objective"] else []
        parts += data["difficulty"] + [dict(Kind.choices)[kind] for kind in data["kind"]]
        if data["state"] not in ("", State.ALL):
            parts.append(dict(STATE_WORDS)[State(data["state"])].lower())
        if data["order"] == Order.WEAK:
            parts.append("weak domains first")
        if data["miss"]:
            parts.append(f"missed: {MissClass(data['miss']).label.lower()}")
        return (", ".join(parts) or "All domains")[:120]


def _filled(data: QueryDict) -> QueryDict:
    """The data with defaults for missing values, and former orders converted."""
    filled = data.copy()
    former = FORMER_ORDERS.get(data.get("order", ""))
    if former and "state" not in filled:
        filled["state"], filled["order"] = former
    for name, usual in DEFAULTS.items():
        filled.setdefault(name, usual)
    return filled
