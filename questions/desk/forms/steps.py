"""The steps of the editor's form: what the first one leaves for later, and when a later one is open."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from questions.desk.forms.editor import BLANK_FACTS, Editor
from questions.desk.forms.rows import Step
from questions.lint.rules import REFUSE, Problem, lint
from questions.versions.models.drafts import Difficulty, Kind, Pool
from questions.versions.rules.draft import DraftQuestion

PATH = re.compile(r"(\w+)(?:\[\d+\]\.(\w+))?")
STEPS = {
    "clues": ("clues",),
    "answer": ("quick_answer", "principle", "trap", "detail", "key_concepts", "exam_tips", "takeaway", "example"),
    "place": ("concepts", "objectives", "difficulty", "pool"),
    "study": ("modules", "recheck_after"),
}
IN_ROWS = {"options": ("tempts", "why", "right_if", "never", "concept"), "sources": ("says",)}
CLUE = ("phrase", "why")
ALL = "all"
BLANK = DraftQuestion(
    key="", domain="", title="", stem="", options=(), explanation="", sources=(),
    clues=(), concepts=(), kind=Kind.SINGLE, difficulty=Difficulty.MEDIUM, pool=Pool.PUBLIC,
    quick_answer="", principle="", trap="", detail="", key_concepts=(), exam_tips=(), takeaway="", example="",
)  # fmt: skip


def lacking(refused: Iterable[Problem], anchors: Mapping[str, str]) -> Counter[str]:
    """The number of refusals in each later step, and in all of them; a row's step is named after the row."""
    found: Counter[str] = Counter()
    for problem in refused:
        if step := _step_of(problem.field, anchors):
            found.update((step, ALL))
    return found


def set_steps(editor: Editor, lacks: Mapping[str, int] | None, asked: bool) -> dict[str, Step]:
    """Every later step by its name; rows get theirs as ``step``.

    A step is open if it has text or an error, and, once review was ``asked`` for, if it lacks something.
    """

    def step(name: str, is_open: bool) -> Step:
        number = None if lacks is None else lacks.get(name, 0)
        return Step(number, is_open or (asked and bool(number)))

    for name, fields in IN_ROWS.items():
        for row in editor.rows(name):
            row.step = step(row.prefix, _is_used(row, fields))
    used = {name: _is_used(editor.texts, fields) for name, fields in STEPS.items() if name != "clues"}
    used["clues"] = bool(editor.clues.non_form_errors()) or any(_is_used(row, CLUE) for row in editor.clues)
    return {name: step(name, used.get(name, False)) for name in (*STEPS, ALL)}


def _step_of(path: str, anchors: Mapping[str, str]) -> str | None:
    found = PATH.match(path)
    root, part = found.groups() if found else (path, None)
    if part in IN_ROWS.get(root, ()):
        return anchors[path].removeprefix("id_").rpartition("-")[0]
    return next((name for name, fields in STEPS.items() if root in fields), None)


def _is_used(form: forms.Form, names: Iterable[str]) -> bool:
    """Whether one of these fields has an error, or a value that a blank form doesn't have."""
    return any(form.errors.get(name) or _is_written(name, form[name].value()) for name in names)


def _is_written(name: str, value: Any) -> bool:
    text = value.strip() if isinstance(value, str) else value
    return bool(text) and text != BLANK_FACTS.get(name)


WHEN_BLANK = lacking(lint(BLANK, severity=REFUSE), {})
"""What a new question lacks in each step."""
