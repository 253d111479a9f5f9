"""One judged question as a learner reads it: verdict, options with reasons, and what lies deeper."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from courseiva.common.masks import order_slots
from questions.catalogue.models import Concept
from questions.versions.models.versions import QuestionVersion

LETTERS = "ABCDEFGHIJKLMN"


@dataclass(frozen=True)
class JudgedOption:
    """An option after the verdict."""

    letter: str
    html: str
    tempts: str
    why: str
    concept: str
    is_right: bool
    is_chosen: bool

    @property
    def is_open(self) -> bool:
        """Right ones and the reader's choice stand open; the others are one line each."""
        return self.is_right or self.is_chosen


@dataclass(frozen=True)
class JudgedClue:
    """A clue word and the letters of the options it confirmed."""

    phrase: str
    confirms: str


@dataclass(frozen=True)
class Breakdown:
    """Everything stage 1 and 2 of a question show. ``verdict`` is "" when nothing was answered."""

    verdict: str
    is_right: bool
    options: list[JudgedOption]
    clues: list[JudgedClue]
    solution: dict[str, Any]
    sources: list[dict[str, str]]
    right_letters: str
    is_multiple: bool
    number: int | None = None
    question_id: int = 0
    version_number: int = 0


def breakdown_of(
    version: QuestionVersion,
    order: str,
    selected: int,
    concept_names: dict[str, str] | None = None,
    accepted: Sequence[int] | None = None,
) -> Breakdown:
    """The breakdown of a version in the order shown; ``version.solution`` must be loaded.

    ``accepted`` are the selections that are right, as masks, where that is not the version's own key; none where the
    question is left out of the score.
    """
    solution = version.solution
    keys = [solution.key_mask] if accepted is None else list(accepted)
    letters = {slot: LETTERS[place] for place, slot in enumerate(order_slots(order))}
    options = _options(version, letters, functools.reduce(operator.or_, keys, 0), selected, concept_names or {})
    clues = [
        JudgedClue(html, ", ".join(sorted(letters[slot] for slot in fact["confirms"])))
        for html, fact in zip(solution.html["clues"], solution.text["clues"], strict=True)
    ]
    return Breakdown(
        verdict=verdict(selected, keys),
        is_right=selected in keys,
        options=options,
        clues=clues,
        solution=solution.html,
        sources=solution.text["sources"],
        right_letters=" and ".join(o.letter for o in options if o.is_right),
        is_multiple=version.choose > 1,
        question_id=version.question_id,
        version_number=version.number,
    )


def _options(
    version: QuestionVersion, letters: dict[int, str], right: int, selected: int, names: dict[str, str]
) -> list[JudgedOption]:
    solution = version.solution
    facts = {option["slot"]: option for option in solution.text["options"]}
    return [
        JudgedOption(
            letter=letter,
            html=version.options_html[str(slot)],
            tempts=solution.html["options"][str(slot)]["tempts"],
            why=solution.html["options"][str(slot)]["why"],
            concept=names.get(facts[slot]["concept"] or "", ""),
            is_right=bool(right >> slot & 1),
            is_chosen=bool(selected >> slot & 1),
        )
        for slot, letter in letters.items()
    ]


def verdict(selected: int, keys: Sequence[int]) -> str:
    """ "Right.", "Not this one.", how many of several were right, or that the question does not count."""
    if not selected:
        return ""
    if not keys:
        return "Left out of the score."
    if selected in keys:
        return "Right."
    best = max(keys, key=lambda key: (selected & key).bit_count())
    if best.bit_count() == 1:
        return "Not this one."
    return f"{(selected & best).bit_count()} of {best.bit_count()}."


def public_order(version: QuestionVersion) -> str:
    """The order in which pages outside a sitting show the options: by slot."""
    return "".join(f"{option['slot']:x}" for option in version.options)


def concept_names(versions: Sequence[QuestionVersion]) -> dict[str, str]:
    """Names of the concepts that the options of these versions relate to, by key; one statement."""
    keys = {o["concept"] for v in versions for o in v.solution.text["options"] if o["concept"]}
    exams = {v.question.exam_id for v in versions}
    return dict(Concept.objects.filter(key__in=keys, domain__exam__in=exams).values_list("key", "name"))
