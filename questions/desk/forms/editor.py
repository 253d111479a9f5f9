"""The editor's form. It accepts half-written drafts; only what can't be stored is refused.

Texts are kept as typed. Rows are formsets; empty rows are ignored.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from courseiva.common.texts.plain_text import PlainText
from questions.catalogue.models import Exam
from questions.catalogue.rules.sources import Source
from questions.desk.forms.rows import EXTRA, MAX_SLOT, ROWS, filled_rows, lock, words
from questions.desk.reads.editor import Choices
from questions.lint.rules import STEM_WORDS, WORD_LIMITS
from questions.versions.material.pictures.rules.named import may_show
from questions.versions.models.drafts import Difficulty, Kind, Pool, Question
from questions.versions.rules.draft import DraftClue, DraftOption, DraftQuestion
from questions.versions.rules.draft_diff import MINE, THEIRS, marks
from questions.versions.rules.family import CLAUSE, shared_of, with_shared
from questions.versions.rules.text_caps import refused_text

MOST_SAID = 4000  # characters of the comment on an action
ROW_NAMES = {"clues": "Clue", "options": "Option", "sources": "Source"}
FEWEST_OPTIONS = 4  # rows, blank ones included
BLANK_FACTS = {"kind": Kind.SINGLE, "difficulty": Difficulty.MEDIUM, "pool": Pool.PUBLIC}
TEXTS = {
    "quick_answer": ("Quick answer", 3, "Name every right option in its own words."),
    "explanation": ("Explanation", 6, "Why the right options are right in this scenario."),
    "principle": ("Key principle", 2, "The rule behind it."),
    "trap": ("Exam trap", 2, "The trap in this question."),
    "detail": ("Technical detail", 5, ""),
}
LAST_TEXTS = {
    "takeaway": ("Key takeaway", 2, "One sentence to remember."),
    "example": ("Real-world example", 3, "An example specific to this question."),
}
LISTS = {
    "key_concepts": ("Key concepts", 4, "One per line, as **Term**: what it means here."),
    "exam_tips": ("Exam tips", 3, "One per line."),
}


class TextForm(forms.Form):
    domain = forms.ChoiceField(label="Domain", error_messages={"required": "Choose a domain."})
    concepts = forms.MultipleChoiceField(label="Concepts", required=False, widget=forms.CheckboxSelectMultiple)
    kind = forms.ChoiceField(label="Type", choices=Kind.choices, widget=forms.RadioSelect)
    difficulty = forms.ChoiceField(label="Difficulty", choices=Difficulty.choices, widget=forms.RadioSelect)
    pool = forms.ChoiceField(label="Pool", choices=Pool.choices, widget=forms.RadioSelect)
    title = forms.CharField(
        label="Title", required=False, max_length=120, help_text="Names the topic, never the answer."
    )
    stem = words(
        "Stem", 9, "A scenario with the deciding constraint, ending in a question.", *STEM_WORDS[::-1], pictures=True
    )
    clause = words("Clause", 3, "The part of the stem that sets this variant apart: a need, a limit, a figure.")
    objectives = forms.CharField(
        label="Objectives", required=False, max_length=200, help_text="Numbers such as 2.2.a, separated by commas."
    )
    modules = forms.MultipleChoiceField(label="Study modules", required=False, widget=forms.CheckboxSelectMultiple)
    recheck_after = forms.DateField(
        label="Re-check after", required=False, widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        help_text="When the facts should be checked again.",
    )  # fmt: skip

    def __init__(self, choices: Choices, *args: Any, family: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lock(self, ("domain", "kind", "pool", "stem") if family else ("clause",))
        self.fields["clause"].required = family
        for name, (label, rows, text) in {**TEXTS, **LAST_TEXTS, **LISTS}.items():
            self.fields[name] = words(label, rows, text, WORD_LIMITS.get(name, 0), pictures=may_show(name))
        self._choose("domain", [("", "Choose"), *choices.domains])
        self._choose("concepts", choices.concepts)
        self._choose("modules", choices.modules)

    def _choose(self, name: str, choices: Sequence[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]


class SaidForm(forms.Form):
    """The comment that goes with an action on a question."""

    text = PlainText(required=False, max_length=MOST_SAID)


@dataclass(frozen=True)
class Fault:
    """A field with errors: its id on the page, and its name there."""

    field: str
    name: str
    messages: list[str]


@dataclass
class Editor:
    """The whole form: texts, and rows of clues, options and sources."""

    texts: TextForm
    clues: Any
    options: Any
    sources: Any
    stored: DraftQuestion | None = None

    def is_valid(self) -> bool:
        """Whether it can be stored; every part is checked, so that all errors show at once."""
        return all([self.is_readable(), self._clues_stand()])

    def is_readable(self) -> bool:
        """Whether it makes a draft, even one with a clue that isn't in the stem."""
        return all([*[part.is_valid() for part in self._parts()], self._slots_differ()]) and self._can_be_drawn()

    def draft(self) -> DraftQuestion:
        """What was typed, after ``is_valid``; anything the form doesn't show is as stored.

        What a family shares doesn't belong to this form: it is as stored, whatever was sent.
        """
        data = self.texts.cleaned_data
        plain = {name: data[name] for name in ("domain", "pool", "kind", "difficulty", "title", "stem")}
        texts = {name: data[name] for name in (*TEXTS, *LAST_TEXTS)}
        stored = self.stored
        draft = DraftQuestion(
            key=stored.key if stored else "",
            family=stored.family if stored else "",
            clause=data["clause"].strip(),
            objectives=tuple(each.strip() for each in data["objectives"].split(",") if each.strip()),
            concepts=tuple(sorted(data["concepts"])),
            modules=_with_sections(data["modules"], stored),
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
        if not (stored and stored.family):
            return draft
        own = {option.slot: option for option in (*stored.options, *draft.options)}
        return with_shared(dataclasses.replace(draft, options=tuple(own.values())), shared_of(stored))

    def filled(self, name: str) -> list[Any]:
        """The non-empty rows, in the chosen order."""
        return filled_rows(getattr(self, name))

    def rows(self, name: str) -> Any:
        return getattr(self, name).forms

    @property
    def answers(self) -> list[Any]:
        """The fields of the answer, in reading order; the first step has the explanation."""
        return [self.texts[name] for name in (*TEXTS, *LISTS, *LAST_TEXTS) if name != "explanation"]

    def anchors(self) -> dict[str, str]:
        """Where each field of the draft is on the page, by path; call after ``draft``."""
        found = {name: self.texts[name].id_for_label or f"id_{name}" for name in self.texts.fields}
        found |= {name: f"id_{name}" for name in ("concepts", "modules", "clues", "options", "sources")}
        for name in ROWS:
            for i, form in enumerate(self.filled(name)):
                found |= {f"{name}[{i}].{field}": f"id_{form.prefix}-{field}" for field in form.fields}
        return found

    def errors(self) -> dict[str, list[str]]:
        """The errors, by field id."""
        return {fault.field: fault.messages for fault in self.faults()}

    def faults(self) -> list[Fault]:
        """Every field with errors, in the form's order."""
        found = _faults(self.texts, "")
        for name, one in ROW_NAMES.items():
            rows = getattr(self, name)
            if messages := rows.non_form_errors():
                found.append(Fault(f"id_{name}", f"{one}s", [str(message) for message in messages]))
            for number, form in enumerate(rows, start=1):
                found += _faults(form, f"{one} {number}, ")
        return found

    def slots(self) -> list[int]:
        """The slots on the page, including blank rows."""
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
        stem = " ".join(self._stem().split())
        for form in self.filled("clues"):
            if " ".join(form.cleaned_data.get("phrase", "").split()) not in stem:
                form.add_error("phrase", "These words aren’t in the stem.")
        return not any(form.errors for form in (self.texts, *self.clues))

    def _stem(self) -> str:
        """The stem with the clause as typed."""
        data, stored = self.texts.cleaned_data, self.stored
        if not (stored and stored.family):
            return data.get("stem", "")
        clause, shared = data.get("clause", "").strip(), shared_of(stored).stem
        if clause and shared.replace(CLAUSE, clause).count(clause) != 1:
            self.texts.add_error("clause", "These words are also in the shared stem.")
        return shared.replace(CLAUSE, clause)

    def _slots_differ(self) -> bool:
        """Each option has its own slot; one without gets the next."""
        taken: set[int] = set()
        for form in self.filled("options"):
            slot = form.cleaned_data.get("slot") or max([*taken, *self.slots(), 0]) + 1
            if slot in taken or slot > MAX_SLOT:
                form.add_error("text", "This option has no number of its own. Reload the page and add it again.")
            form.cleaned_data["slot"] = slot
            taken.add(slot)
        return not any(form.errors for form in self.options)


def blank_editor(choices: Choices) -> Editor:
    return _editor(choices, TextForm(choices, initial=BLANK_FACTS), {}, 1)


def stored_editor(choices: Choices, question: Question, draft: DraftQuestion, slot: int) -> Editor:
    """The form filled from a draft; ``slot`` is the next free one."""
    facts = {name: getattr(draft, name) for name in TextForm.base_fields if name != "recheck_after"}
    facts |= {name: getattr(draft, name) for name in (*TEXTS, *LAST_TEXTS)}
    facts |= {name: "\n".join(getattr(draft, name)) for name in LISTS}
    facts |= {"objectives": ", ".join(draft.objectives), "modules": [each.partition("#")[0] for each in draft.modules]}
    texts = TextForm(choices, initial=facts | {"recheck_after": question.recheck_after}, family=bool(draft.family))
    rows = {name: [dataclasses.asdict(row) for row in getattr(draft, name)] for name in ROWS}
    return _editor(choices, texts, rows, slot, bool(draft.family))


def typed_editor(choices: Choices, data: Mapping[str, Any], stored: DraftQuestion | None) -> Editor:
    family = stored if stored and stored.family else None
    made = {name: rows(data, prefix=name) for name, rows in ROWS.items() if name != "options"}
    made["options"] = ROWS["options"](
        data, prefix="options", form_kwargs={"choices": choices, "family": bool(family)},
        initial=[dataclasses.asdict(option) for option in family.options] if family else None,
    )  # fmt: skip
    initial = {name: getattr(family, name) for name in ("domain", "kind", "pool", "stem")} if family else None
    texts = TextForm(choices, data, initial=initial, family=bool(family))
    return _with_slots(Editor(texts, **made, stored=stored))


def drawn_with(data: Mapping[str, Any]) -> dict[str, str]:
    """What the page was rendered with, by field; empty if that was lost."""
    try:
        found = json.loads(data.get("was") or "{}")
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(mark) for name, mark in found.items()} if isinstance(found, dict) else {}


def mark_line(draft: DraftQuestion | None) -> str:
    """What a page is rendered with, for its hidden field."""
    return json.dumps(marks(draft)) if draft else ""


def choices_made(data: Mapping[str, Any]) -> dict[str, str]:
    """Whose text was chosen for each field after a refused save."""
    prefix = "take-"
    return {
        name.removeprefix(prefix): data[name]
        for name in data
        if name.startswith(prefix) and data[name] in (MINE, THEIRS)
    }


def base_of(data: Mapping[str, Any]) -> int:
    """The state that the typed text started from; an impossible one if the field is invalid."""
    text = str(data.get("base", ""))
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def exam_of(exams: Sequence[Exam], slug: str) -> Exam | None:
    """The exam with this slug, else the first."""
    return next((exam for exam in exams if exam.slug == slug), exams[0] if exams else None)


def _editor(choices: Choices, texts: TextForm, rows: Mapping[str, Any], slot: int, family: bool = False) -> Editor:
    made: dict[str, Any] = {}
    for name, formset in ROWS.items():
        kwargs = {"choices": choices, "family": family} if name == "options" else {}
        made[name] = formset(prefix=name, initial=rows.get(name, []), form_kwargs=kwargs)
    wanted = 0 if family else max(EXTRA["options"] if rows else 0, FEWEST_OPTIONS - len(rows.get("options", [])))
    made["options"].extra = max(0, min(wanted, MAX_SLOT + 1 - slot))
    blank = [form for form in made["options"].forms if not form.initial.get("slot")]
    for number, form in enumerate(blank, start=slot):
        form.initial["slot"] = number
    return _with_slots(Editor(texts, **made))


def _with_slots(editor: Editor) -> Editor:
    """Each clue offers the options on the page."""
    slots = [(slot, str(slot)) for slot in sorted(set(editor.slots()))]
    for form in editor.clues:
        for name in ("confirms", "rules_out"):
            form.fields[name].widget.choices = slots
    return editor


def _faults(form: forms.Form, row: str) -> list[Fault]:
    return [
        Fault(
            f"id_{form.add_prefix(name)}", f"{row}{form.fields[name].label or name}", [str(each) for each in messages]
        )
        for name, messages in form.errors.items()
    ]


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.split("\n") if line.strip())


def _option(data: Mapping[str, Any]) -> DraftOption:
    texts = (data["text"], data["right"], data["tempts"], data["why"])
    return DraftOption(data["slot"], *texts, data["concept"] or None, data["right_if"], data["never"])


def _clue(data: Mapping[str, Any]) -> DraftClue:
    return DraftClue(data["phrase"], data["why"], tuple(data["confirms"]), tuple(data["rules_out"]))


def _source(data: Mapping[str, Any]) -> Source:
    return Source(data["title"], data["url"], data["as_of"], data["says"])


def _with_sections(slugs: Sequence[str], stored: DraftQuestion | None) -> tuple[str, ...]:
    """The chosen modules, each with its stored sections: the form offers only whole modules."""
    named = [each for each in (stored.modules if stored else ()) if each.partition("#")[0] in slugs]
    return tuple(sorted({*named, *(set(slugs) - {each.partition("#")[0] for each in named})}))
