"""Forms of practice: the sitting without script, the mock's start page, the drill's choices."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from practice.drills import ORDERS, DrillChoice
from practice.models import PracticeSession
from practice.wire import MAX_NUMBER, ItemState
from questions.masks import places_from_mask
from questions.models import Concept, Difficulty, Domain, Exam, Kind

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


def form_state(post: QueryDict) -> int:
    """The writer number the page was drawn with; one that cannot be read counts as an old page's."""
    value = post.get("writer", "")
    return int(value) if value.isdigit() and int(value) <= MAX_NUMBER else 0


def changed_states(session: PracticeSession, post: QueryDict, only: int | None = None) -> list[ItemState]:
    """What a page without script changed against what it was drawn with (fields ``b-<n>`` and ``g-<n>``).

    ``only`` asks for that position alone, changed or not.
    """
    states = []
    for item in session.items.order_by("position"):
        n = item.position
        if (only is not None and n != only) or (f"b-{n}" not in post):
            continue
        chosen = sorted({int(place) for place in post.getlist(f"a-{n}") if place.isdigit() and len(place) < 4})
        flagged = f"f-{n}" in post
        confidence = _confidence(post, n)
        base = (post.get(f"b-{n}", ""), post.get(f"g-{n}", ""))
        if only is None and base == (",".join(map(str, chosen)), "1" if flagged else "") and confidence is None:
            continue
        states.append(
            ItemState(
                position=n,
                sequence=item.sequence + 1,
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
    """How a mock is to run."""

    blueprint = forms.ChoiceField(label="Guide")
    count = forms.TypedChoiceField(label="Questions", coerce=int)
    time_factor = forms.TypedChoiceField(label="Time", choices=TIME_FACTORS, coerce=Decimal, initial="1")
    conditions = forms.ChoiceField(
        label="Clock",
        choices=[
            ("exam", "Exam conditions: the clock keeps running when the page is closed"),
            ("pausable", "Pausable: the result says how often and how long"),
        ],
        initial="exam",
    )

    def __init__(self, exam: Exam, counts: list[int], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.exam = exam
        self.fields["blueprint"].choices = [  # type: ignore[attr-defined]
            (b.key, f"{b.name}{' (current)' if b.is_current else ''}") for b in exam.blueprints.all()
        ]
        self.fields["count"].choices = [(n, str(n)) for n in counts]  # type: ignore[attr-defined]


class DrillForm(forms.Form):
    """The learner's own choice of a drill; it can be filled from an address."""

    domain = forms.MultipleChoiceField(label="Sections", required=False, widget=forms.CheckboxSelectMultiple)
    concept = forms.MultipleChoiceField(label="Concepts", required=False)
    difficulty = forms.MultipleChoiceField(
        label="Difficulty", required=False, choices=Difficulty.choices, widget=forms.CheckboxSelectMultiple
    )
    kind = forms.MultipleChoiceField(
        label="Kind", required=False, choices=Kind.choices, widget=forms.CheckboxSelectMultiple
    )
    size = forms.IntegerField(label="Questions", min_value=1, max_value=60, initial=10, required=False)
    order = forms.ChoiceField(label="Order", choices=[(o, o) for o in ORDERS], initial="unseen", required=False)
    minutes = forms.FloatField(
        label="Minutes per question", min_value=0.5, max_value=20, required=False, help_text="Empty: untimed."
    )
    feedback = forms.ChoiceField(
        label="Answers are judged", choices=[("each", "at once"), ("end", "at the end")], initial="each", required=False
    )
    confidence = forms.BooleanField(label="Ask how sure I am", required=False)

    def __init__(self, exam: Exam, data: MultiValueDict[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        domains = list(Domain.objects.filter(exam=exam))
        concepts = Concept.objects.filter(domain__exam=exam).select_related("domain")
        names = dict(exam.blueprints.filter(is_current=True).values_list("domains__domain_id", "domains__name"))
        self.domain_names = {d.key: f"{d.number} {names.get(d.pk, d.key)}" for d in domains}
        self.concept_names = {c.key: c.name for c in concepts}
        self.fields["domain"].choices = list(self.domain_names.items())  # type: ignore[attr-defined]
        self.fields["concept"].choices = list(self.concept_names.items())  # type: ignore[attr-defined]

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
        )

    def label(self) -> str:
        """The choice in words, for the history."""
        data = self.cleaned_data
        parts = [self.domain_names[key] for key in data["domain"]]
        parts += [self.concept_names[key] for key in data["concept"]]
        parts += data["difficulty"] + [dict(Kind.choices)[kind] for kind in data["kind"]]
        words = {"missed": "missed before", "bookmarked": "bookmarked", "weak": "weak sections first"}
        if data["order"] in words:
            parts.append(words[data["order"]])
        return (", ".join(parts) or "All sections")[:120]
