"""The neutral form of a question: what an editor writes, independent of the database."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from questions.catalogue.rules.sources import Source

KINDS = ("single", "multiple")
DIFFICULTIES = ("easy", "medium", "hard")
POOLS = ("open", "reserved")
POOL_NAMES = {"public": "open", **{pool: pool for pool in POOLS}}
"""Values accepted in files. "open" is the stored value from before the pool was called public; both remain valid."""
LONG_PARTS = ("explanation", "principle", "trap", "detail", "takeaway", "example")
ANSWER_PARTS = ("quick_answer", *LONG_PARTS)  # the texts of the answer, in reading order


@dataclass(frozen=True)
class DraftOption:
    """One option: its permanent slot, its text, why it tempts, and why it is right or wrong."""

    slot: int
    text: str
    right: bool
    tempts: str
    why: str
    concept: str | None = None
    right_if: str = ""
    never: str = ""


@dataclass(frozen=True)
class DraftClue:
    """A deciding phrase of the stem, why it matters, and the slots it confirms and rules out."""

    phrase: str
    why: str
    confirms: tuple[int, ...]
    rules_out: tuple[int, ...] = ()


@dataclass(frozen=True)
class DraftQuestion:
    """A whole question as text. Equality is by content, so two loads can be compared.

    A question in a family names it, and its clause in the stem. A module can be named with a section:
    ``module#section``.
    """

    key: str
    domain: str
    concepts: tuple[str, ...]
    pool: str
    kind: str
    difficulty: str
    title: str
    stem: str
    options: tuple[DraftOption, ...]
    clues: tuple[DraftClue, ...]
    quick_answer: str
    explanation: str
    principle: str
    trap: str
    detail: str
    key_concepts: tuple[str, ...]
    exam_tips: tuple[str, ...]
    takeaway: str
    example: str
    sources: tuple[Source, ...]
    modules: tuple[str, ...] = field(default=())
    second_reader: str = ""
    second_read_on: dt.date | None = None
    objectives: tuple[str, ...] = ()
    family: str = ""
    clause: str = ""

    @property
    def right_slots(self) -> tuple[int, ...]:
        """The key, as slots."""
        return tuple(option.slot for option in self.options if option.right)

    @property
    def prompt(self) -> tuple[str, tuple[tuple[int, str], ...]]:
        """Everything read before the answer: if it is unchanged, a new version asks the same."""
        return self.stem, tuple((option.slot, option.text) for option in self.options)

    @property
    def unit(self) -> tuple[str, str]:
        """The question's unit: its family, or itself."""
        return ("family", self.family) if self.family else ("question", self.key)

    def prose(self) -> Iterator[tuple[str, str]]:
        """Every text a learner can read, with its field's path."""
        for name in ("title", "stem"):
            yield name, getattr(self, name)
        for i, option in enumerate(self.options):
            yield f"options[{i}].text", option.text
            yield f"options[{i}].tempts", option.tempts
            yield f"options[{i}].why", option.why
            if option.right_if:
                yield f"options[{i}].right_if", option.right_if
            if option.never:
                yield f"options[{i}].never", option.never
        for i, clue in enumerate(self.clues):
            yield f"clues[{i}].why", clue.why
        for name in ANSWER_PARTS:
            yield name, getattr(self, name)
        for name in ("key_concepts", "exam_tips"):
            for i, text in enumerate(getattr(self, name)):
                yield f"{name}[{i}]", text


LATER_FIELDS = {"right_if", "never", "rules_out", "says", "objectives", "family", "clause"}


def filled_in(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """For ``dataclasses.asdict`` in a digest: without empty fields that were added to the format later."""
    return {name: value for name, value in fields if value or name not in LATER_FIELDS}
