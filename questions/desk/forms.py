"""The form an editor writes a question in. It takes half-written drafts; only what cannot be stored is refused.

Texts are kept as typed. Rows are formsets; a row without words is no row.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.forms.formsets import DELETION_FIELD_NAME, ORDERING_FIELD_NAME

from courseiva.common.plain_text import PlainText
from questions.catalogue.models import Exam
from questions.catalogue.rules.sources import Source
from questions.desk.reads.editor import Choices
from questions.lint.rules import RATIONALE_WORDS, STEM_WORDS, WORD_LIMITS
from questions.versions.models.drafts import Difficulty, Kind, Pool, Question
from questions.versions.rules.draft import DraftClue, DraftOption, DraftQuestion
from questions.versions.rules.draft_diff import MINE, THEIRS, marks
from questions.versions.rules.text_caps import EDITORS, pathology, refused_text

MAX_SLOT = 14
MOST_SAID = 4000  # characters of what is said with an act
EXTRA = {"clues": 2, "options": 2, "sources": 1}
FIRST_OPTIONS = 4
MOST_ROWS = 200  # those that were added and removed again included
TEXTS = {
    "quick_answer": ("Quick answer", 3, "Names every right option in its own terms."),
    "explanation": ("Explanation", 6, "Why the right options are right here."),
    "principle": ("Key principle", 2, "The rule behind it."),
    "trap": ("Exam trap", 2, "What the question sets as a trap."),
    "detail": ("Technical detail", 5, ""),
}
LAST_TEXTS = {
    "takeaway": ("Key takeaway", 2, "One sentence to remember."),
    "example": ("Real-world example", 3, "One that belongs to this question."),
}
LISTS = {
    "key_concepts": ("Key concepts", 4, "One on each line: **Term**: what it means here."),
    "exam_tips": ("Exam tips", 3, "One on each line."),
}


def refuse_pathology(text: str) -> None:
    """Raises ValidationError for what would be slow to draw, before anything draws it."""
    if why := pathology(text, EDITORS):
        raise forms.ValidationError(why)


def words(label: str, rows: int, text: str = "", most: int = 0, least: int = 0) -> PlainText:
    """A long text as typed; ``most`` and ``least`` words are hinted at, not enforced."""
    limits = {"data-most": most or None, "data-least": least or None}
    attributes = {"rows": rows, **{name: value for name, value in limits.items() if value}}
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


class TextForm(forms.Form):
    """Everything that stands once in a question."""

    domain = forms.ChoiceField(label="Domain", error_messages={"required": "Choose the domain it belongs to."})
    concepts = forms.MultipleChoiceField(label="Concepts", required=False, widget=forms.CheckboxSelectMultiple)
    kind = forms.ChoiceField(label="Kind", choices=Kind.choices, widget=forms.RadioSelect)
    difficulty = forms.ChoiceField(label="Difficulty", choices=Difficulty.choices, widget=forms.RadioSelect)
    pool = forms.ChoiceField(label="Pool", choices=Pool.choices, widget=forms.RadioSelect)
    title = forms.CharField(
        label="Title", required=False, max_length=120, help_text="Names the situation, never the answer."
    )
    stem = words("Stem", 9, "A scenario with the constraint that decides, ending in a question.", *STEM_WORDS[::-1])
    modules = forms.MultipleChoiceField(label="Study modules", required=False, widget=forms.CheckboxSelectMultiple)
    recheck_after = forms.DateField(
        label="Re-check after", required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="When its facts should be looked at again.",
    )  # fmt: skip

    def __init__(self, choices: Choices, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (label, rows, text) in {**TEXTS, **LAST_TEXTS, **LISTS}.items():
            self.fields[name] = words(label, rows, text, WORD_LIMITS.get(name, 0))
        self._choose("domain", [("", "Choose"), *choices.domains])
        self._choose("concepts", choices.concepts)
        self._choose("modules", choices.modules)

    def _choose(self, name: str, choices: Sequence[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]


class SaidForm(forms.Form):
    """The words that go with an act on a question."""

    text = PlainText(required=False, max_length=MOST_SAID)


class OptionForm(forms.Form):
    """One option. Its slot is its permanent number."""

    slot = forms.IntegerField(min_value=1, max_value=MAX_SLOT, required=False, widget=forms.HiddenInput)
    text = words("What the learner may choose", 2)
    right = forms.BooleanField(label="Right", required=False)
    tempts = words("Why it tempts", 2, "Of a right one: what points to it.", RATIONALE_WORDS)
    why = words("Why it is right or wrong", 2, "", RATIONALE_WORDS)
    concept = forms.ChoiceField(label="Related concept", required=False)

    def __init__(self, *args: Any, choices: Choices, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["concept"].choices = [("", "none"), *choices.concepts]  # type: ignore[attr-defined]

    def is_blank(self) -> bool:
        """Nothing was written in it."""
        data = self.cleaned_data
        return not any(data.get(name) for name in ("text", "right", "tempts", "why", "concept"))


class ClueForm(forms.Form):
    """A phrase of the stem that decides."""

    phrase = forms.CharField(label="Phrase, word for word", required=False, max_length=300)
    why = words("Why it matters", 2, "Without giving the answer away.")
    confirms = forms.TypedMultipleChoiceField(
        label="Speaks for option", required=False, coerce=int, widget=forms.CheckboxSelectMultiple,
        choices=[(slot, str(slot)) for slot in range(1, MAX_SLOT + 1)],
    )  # fmt: skip

    def is_blank(self) -> bool:
        """Nothing was written in it."""
        return not any(self.cleaned_data.get(name) for name in ("phrase", "why"))


class SourceForm(forms.Form):
    """Where the facts were checked."""

    title = forms.CharField(label="Title", required=False, max_length=200)
    url = forms.CharField(
        label="Address", required=False, max_length=500, widget=forms.TextInput(attrs={"inputmode": "url"}),
        validators=[URLValidator(schemes=["https", "http"], message="Write the whole address, from https:// on.")],
    )  # fmt: skip
    as_of = forms.DateField(
        label="As of", required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="The day it said so.",
    )  # fmt: skip

    def is_blank(self) -> bool:
        """Nothing was written in it."""
        return not any(self.cleaned_data.get(name) for name in ("title", "url"))

    def clean(self) -> dict[str, Any]:
        """A source has a day, because what it says changes."""
        data = super().clean() or {}
        if any(data.get(name) for name in ("title", "url")) and "as_of" in data and not data["as_of"]:
            self.add_error("as_of", "Give the day on which it said so.")
        return data


def _rows(form: type[forms.Form], name: str) -> Any:
    """A formset of rows that may be moved and removed; the page shows blank ones to be filled."""
    return forms.formset_factory(
        form, extra=EXTRA[name], can_order=True, can_delete=True, max_num=MOST_ROWS, validate_max=True
    )


ROWS = {
    name: _rows(form, name) for name, form in (("clues", ClueForm), ("options", OptionForm), ("sources", SourceForm))
}


@dataclass
class Editor:
    """The whole form: texts, and rows of clues, options and sources."""

    texts: TextForm
    clues: Any
    options: Any
    sources: Any
    stored: DraftQuestion | None = None

    def is_valid(self) -> bool:
        """Whether it can be stored; every part is looked at, so that all is marked at once."""
        return all([self.is_readable(), self._clues_stand()])

    def is_readable(self) -> bool:
        """Whether a draft can be made of it, be it one with a clue that is not in the stem."""
        return all([*[part.is_valid() for part in self._parts()], self._slots_differ()]) and self._can_be_drawn()

    def draft(self) -> DraftQuestion:
        """What was typed, after ``is_valid``; what the form does not show is as it was stored."""
        data = self.texts.cleaned_data
        plain = {name: data[name] for name in ("domain", "pool", "kind", "difficulty", "title", "stem")}
        texts = {name: data[name] for name in (*TEXTS, *LAST_TEXTS)}
        stored = self.stored
        return DraftQuestion(
            key=stored.key if stored else "",
            concepts=tuple(sorted(data["concepts"])),
            modules=tuple(sorted(data["modules"])),
            key_concepts=_lines(data["key_concepts"]),
            exam_tips=_lines(data["exam_tips"]),
            options=tuple(_option(form.cleaned_data) for form in self.filled("options")),
            clues=tuple(_clue(form.cleaned_data) for form in self.filled("clues")),
            sources=tuple(_source(form.cleaned_data) for form in self.filled("sources")),
            second_reader=stored.second_reader if stored else "",
            second_read_on=stored.second_read_on if stored else None,
            **plain,
            **texts,
        )

    def filled(self, name: str) -> list[Any]:
        """The rows that say something, in the order chosen."""
        forms_ = [
            (form.cleaned_data.get(ORDERING_FIELD_NAME) or len(self.rows(name)) + i, i, form)
            for i, form in enumerate(self.rows(name))
            if not form.cleaned_data.get(DELETION_FIELD_NAME) and not form.is_blank()
        ]
        return [form for _, _, form in sorted(forms_, key=lambda each: each[:2])]

    def rows(self, name: str) -> Any:
        """The forms of these rows."""
        return getattr(self, name).forms

    @property
    def answers(self) -> list[Any]:
        """The fields of the answer, in reading order."""
        return [self.texts[name] for name in (*TEXTS, *LISTS, *LAST_TEXTS)]

    def anchors(self) -> dict[str, str]:
        """Where on the page each field of the draft is, by its path there; call after ``draft``."""
        found = {name: self.texts[name].id_for_label or f"id_{name}" for name in self.texts.fields}
        found |= {name: f"id_{name}" for name in ("concepts", "modules", "clues", "options", "sources")}
        for name in ROWS:
            for i, form in enumerate(self.filled(name)):
                found |= {f"{name}[{i}].{field}": f"id_{form.prefix}-{field}" for field in form.fields}
        return found

    def errors(self) -> dict[str, list[str]]:
        """What is wrong, by the id of the field."""
        found: dict[str, list[str]] = {}
        for form in (self.texts, *self.clues, *self.options, *self.sources):
            for name, messages in form.errors.items():
                found[f"id_{form.add_prefix(name)}"] = [str(message) for message in messages]
        return found

    def slots(self) -> list[int]:
        """The slots that stand on the page, blank rows included."""
        texts = [str(form["slot"].value() or "") for form in self.options]
        return [int(text) for text in texts if text.isdecimal() and len(text) <= len(str(MAX_SLOT))]

    def _parts(self) -> Iterator[Any]:
        yield from (self.texts, self.clues, self.options, self.sources)

    def _can_be_drawn(self) -> bool:
        _, why = refused_text(self.draft().prose())
        if why:
            self.texts.add_error("stem", why)
        return not why

    def _clues_stand(self) -> bool:
        stem = " ".join(self.texts.cleaned_data.get("stem", "").split())
        for form in self.filled("clues"):
            if " ".join(form.cleaned_data.get("phrase", "").split()) not in stem:
                form.add_error("phrase", "These words do not stand in the stem.")
        return not any(form.errors for form in self.clues)

    def _slots_differ(self) -> bool:
        """Each option has a number of its own; one without gets the next."""
        taken: set[int] = set()
        for form in self.filled("options"):
            slot = form.cleaned_data.get("slot") or max([*taken, *self.slots(), 0]) + 1
            if slot in taken or slot > MAX_SLOT:
                form.add_error("text", "This option has no number of its own. Load the page again and add it anew.")
            form.cleaned_data["slot"] = slot
            taken.add(slot)
        return not any(form.errors for form in self.options)


def blank_editor(choices: Choices, today: dt.date) -> Editor:
    """The form of a new question."""
    facts = {"kind": Kind.SINGLE, "difficulty": Difficulty.MEDIUM, "pool": Pool.OPEN}
    return _editor(choices, TextForm(choices, initial=facts), {}, 1, today)


def stored_editor(choices: Choices, question: Question, draft: DraftQuestion, slot: int, today: dt.date) -> Editor:
    """The form as a draft fills it; ``slot`` is the next free one."""
    facts = {name: getattr(draft, name) for name in TextForm.base_fields if name != "recheck_after"}
    facts |= {name: getattr(draft, name) for name in (*TEXTS, *LAST_TEXTS)}
    facts |= {name: "\n".join(getattr(draft, name)) for name in LISTS}
    texts = TextForm(choices, initial={**facts, "recheck_after": question.recheck_after})
    rows = {name: [dataclasses.asdict(row) for row in getattr(draft, name)] for name in ROWS}
    return _editor(choices, texts, rows, slot, today)


def typed_editor(choices: Choices, data: Mapping[str, Any], stored: DraftQuestion | None) -> Editor:
    """The form as it was sent."""
    made = {
        name: rows(data, prefix=name, form_kwargs={"choices": choices} if name == "options" else {})
        for name, rows in ROWS.items()
    }
    return _with_slots(Editor(TextForm(choices, data), **made, stored=stored))


def drawn_with(data: Mapping[str, Any]) -> dict[str, str]:
    """What the page was drawn with, by field; nothing where that was lost."""
    try:
        found = json.loads(data.get("was") or "{}")
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(mark) for name, mark in found.items()} if isinstance(found, dict) else {}


def mark_line(draft: DraftQuestion | None) -> str:
    """What a page is drawn with, for its hidden field."""
    return json.dumps(marks(draft)) if draft else ""


def choices_made(data: Mapping[str, Any]) -> dict[str, str]:
    """Whose text was chosen for each field of a refused save."""
    prefix = "take-"
    return {
        name.removeprefix(prefix): data[name]
        for name in data
        if name.startswith(prefix) and data[name] in (MINE, THEIRS)
    }


def base_of(data: Mapping[str, Any]) -> int:
    """The state that what was typed starts from; one that never was, where the field was spoilt."""
    text = str(data.get("base", ""))
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def exam_of(exams: Sequence[Exam], slug: str) -> Exam | None:
    """The exam of this name, else the first."""
    return next((exam for exam in exams if exam.slug == slug), exams[0] if exams else None)


def _editor(choices: Choices, texts: TextForm, rows: Mapping[str, Any], slot: int, today: dt.date) -> Editor:
    made: dict[str, Any] = {}
    for name, formset in ROWS.items():
        kwargs = {"choices": choices} if name == "options" else {}
        made[name] = formset(prefix=name, initial=rows.get(name, []), form_kwargs=kwargs)
    wanted = EXTRA["options"] if rows else FIRST_OPTIONS
    made["options"].extra = max(0, min(wanted, MAX_SLOT + 1 - slot))
    blank = [form for form in made["options"].forms if not form.initial.get("slot")]
    for number, form in enumerate(blank, start=slot):
        form.initial["slot"] = number
    for form in made["sources"].forms:
        form.initial.setdefault("as_of", today)
    return _with_slots(Editor(texts, **made))


def _with_slots(editor: Editor) -> Editor:
    """Each clue offers the options that stand on the page."""
    slots = [(slot, str(slot)) for slot in sorted(set(editor.slots()))]
    for form in editor.clues:
        form.fields["confirms"].widget.choices = slots
    return editor


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.split("\n") if line.strip())


def _option(data: Mapping[str, Any]) -> DraftOption:
    texts = (data["text"], data["right"], data["tempts"], data["why"])
    return DraftOption(data["slot"], *texts, data["concept"] or None)


def _clue(data: Mapping[str, Any]) -> DraftClue:
    return DraftClue(data["phrase"], data["why"], tuple(data["confirms"]))


def _source(data: Mapping[str, Any]) -> Source:
    return Source(data["title"], data["url"], data["as_of"])
