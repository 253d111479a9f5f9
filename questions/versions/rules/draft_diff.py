"""Comparing two drafts: which fields differ and how, and merging two people's changes."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from courseiva.common.texts.word_diff import Piece, word_diff
from questions.catalogue.rules.sources import Source
from questions.versions.rules.draft import DraftClue, DraftOption, DraftQuestion

LABELS = {
    "domain": "Domain",
    "concepts": "Concepts",
    "objectives": "Objectives",
    "kind": "Type",
    "difficulty": "Difficulty",
    "pool": "Pool",
    "title": "Title",
    "stem": "Stem",
    "clause": "Clause",
    "clues": "Clue words",
    "options": "Options",
    "quick_answer": "Quick answer",
    "explanation": "Explanation",
    "principle": "Key principle",
    "trap": "Exam trap",
    "detail": "Technical detail",
    "key_concepts": "Key concepts",
    "exam_tips": "Exam tips",
    "takeaway": "Key takeaway",
    "example": "Real-world example",
    "modules": "Study modules",
    "sources": "Sources",
}
MINE, THEIRS = "mine", "theirs"
MARK = 12  # how many hexadecimal digits identify a text


@dataclass(frozen=True)
class FieldChange:
    """A field that differs, in words; ``choice`` says whose text resolves a clash, "" if a person must decide."""

    name: str
    label: str
    old: str
    new: str
    pieces: list[Piece]
    choice: str = ""


def changes(old: DraftQuestion, new: DraftQuestion) -> list[FieldChange]:
    """The fields that differ, in reading order."""
    return [_change(name, old, new) for name in LABELS if getattr(old, name) != getattr(new, name)]


def marks(draft: DraftQuestion) -> dict[str, str]:
    """A short fingerprint of each field, to know later what a page was rendered with."""
    return {name: _mark(getattr(draft, name)) for name in LABELS}


def clashes(mine: DraftQuestion, theirs: DraftQuestion, drawn_with: Mapping[str, str]) -> list[FieldChange]:
    """The fields in which a refused save differs from the current state.

    If only one of the two changed a field since the page was rendered, that text is the choice.
    """
    found = []
    for change in changes(theirs, mine):
        was = drawn_with.get(change.name)
        choice = ""
        if was == _mark(getattr(mine, change.name)):
            choice = THEIRS
        elif was == _mark(getattr(theirs, change.name)):
            choice = MINE
        found.append(dataclasses.replace(change, choice=choice))
    return found


def settled(mine: DraftQuestion, theirs: DraftQuestion, choices: Mapping[str, str]) -> DraftQuestion:
    """My draft, with their text in the fields for which it was chosen."""
    taken = {name: getattr(theirs, name) for name in LABELS if choices.get(name) == THEIRS}
    return dataclasses.replace(mine, **taken)


def _change(name: str, old: DraftQuestion, new: DraftQuestion) -> FieldChange:
    before, after = _words(getattr(old, name)), _words(getattr(new, name))
    return FieldChange(name, LABELS[name], before, after, word_diff(before, after))


def _mark(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:MARK]


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "\n".join(_part(part) for part in value)


def _part(part: str | DraftOption | DraftClue | Source) -> str:
    if isinstance(part, DraftOption):
        head = f"Option {part.slot}, {'right' if part.right else 'wrong'}: {part.text}"
        concept = f" Concept: {part.concept}." if part.concept else ""
        right_if = f"\nRight if: {part.right_if}" if part.right_if else ""
        never = f"\nNever right: {part.never}" if part.never else ""
        return f"{head}\nWhy it’s tempting: {part.tempts}\nWhy: {part.why}{concept}{right_if}{never}\n"
    if isinstance(part, DraftClue):
        slots = ", ".join(str(slot) for slot in part.confirms) or "none"
        against = ", ".join(str(slot) for slot in part.rules_out)
        rules_out = f", rules out option {against}" if against else ""
        return f"“{part.phrase}” (points to option {slots}{rules_out}): {part.why}"
    if isinstance(part, Source):
        day = f"opened on {part.as_of.isoformat()}" if part.as_of else "not opened"
        says = f": {part.says}" if part.says else ""
        return f"{part.title}, {part.url}, {day}{says}"
    return part
