"""One marked question as shown to a learner: verdict, options with reasons, and further details."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from courseiva.common.masks import order_slots, stored_order
from courseiva.common.quick.statements import composed_once
from questions.catalogue.models import Concept
from questions.versions.models.versions import QuestionVersion

LETTERS = "ABCDEFGHIJKLMN"
EVERY_OPTION = (1 << len(LETTERS) + 1) - 1  # one bit per slot, counting from 1


@dataclass(frozen=True)
class MarkedOption:
    letter: str
    html: str
    tempts: str
    why: str
    concept: str
    is_right: bool
    is_chosen: bool
    right_if: str = ""
    never: str = ""
    slot: int = 0

    @property
    def is_open(self) -> bool:
        """Whether it is expanded: right options and the reader's choice are; the others take one line each."""
        return self.is_right or self.is_chosen


@dataclass(frozen=True)
class MarkedClue:
    """A clue word with the letters of the options it confirms and rules out."""

    phrase: str
    confirms: str
    rules_out: str


@dataclass(frozen=True)
class Verdict:
    """``kind`` is right, wrong, partly (``found`` of ``asked``) or left-out (of the score)."""

    kind: str
    found: int = 0
    asked: int = 0


@dataclass(frozen=True)
class Breakdown:
    """Everything shown after an answer. ``verdict`` is None if nothing was answered.

    ``seconds`` is how long the learner had it on screen, 0 if no page measured it.
    """

    verdict: Verdict | None
    is_right: bool
    options: list[MarkedOption]
    clues: list[MarkedClue]
    solution: dict[str, Any]
    sources: list[dict[str, str]]
    right_letters: str
    is_multiple: bool
    number: int | None = None
    question_id: int = 0
    version_id: int = 0
    seconds: int = 0
    version_number: int = 0
    domain_id: int = 0
    modules: tuple[str, ...] = ()


def breakdown_of(
    version: QuestionVersion,
    order: str,
    selected: int,
    concept_names: dict[str, str] | None = None,
    accepted: Sequence[int] | None = None,
    kept_back: int | None = None,
) -> Breakdown:
    """The breakdown of a version in the order shown; ``version.solution`` must be loaded.

    ``accepted`` are the right selections, as masks, if that isn't the version's own key; none if the question is left
    out of the score. ``kept_back`` is the mask of options whose “right if” must not be shown yet; without it, none is
    shown for a question with siblings, since it might give away a sibling's key (``right_if_kept_back``).
    """
    solution = version.solution
    keys = [solution.key_mask] if accepted is None else list(accepted)
    letters = {slot: LETTERS[place] for place, slot in enumerate(order_slots(order))}
    if kept_back is None:
        kept_back = EVERY_OPTION if version.family_id else 0
    right = functools.reduce(operator.or_, keys, 0)
    options = _options(version, letters, right, selected, concept_names or {}, kept_back)
    clues = [
        MarkedClue(html, _letters(letters, fact["confirms"]), _letters(letters, fact.get("rules_out", [])))
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
        version_id=version.pk,
        version_number=version.number,
        domain_id=version.domain_id,
        modules=tuple(solution.text.get("modules", ())),
    )


def _options(
    version: QuestionVersion,
    letters: dict[int, str],
    right: int,
    selected: int,
    names: dict[str, str],
    kept_back: int,
) -> list[MarkedOption]:
    solution = version.solution
    facts = {option["slot"]: option for option in solution.text["options"]}
    untold = kept_back | right  # for a right option, the scenario itself is its “right if”
    return [
        MarkedOption(
            letter=letter,
            html=version.options_html[str(slot)],
            tempts=(html := solution.html["options"][str(slot)])["tempts"],
            why=html["why"],
            concept=names.get(facts[slot]["concept"] or "", ""),
            is_right=bool(right >> slot & 1),
            is_chosen=bool(selected >> slot & 1),
            right_if="" if untold >> slot & 1 else html.get("right_if", ""),
            never=html.get("never", ""),
            slot=slot,
        )
        for slot, letter in letters.items()
    ]


def _letters(letters: dict[int, str], slots: Sequence[int]) -> str:
    *others, last = sorted(letters[slot] for slot in slots) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def verdict(selected: int, keys: Sequence[int]) -> Verdict | None:
    """The verdict on an answer, compared with the closest accepted key."""
    if not selected:
        return None
    if not keys:
        return Verdict("left-out")
    if selected in keys:
        return Verdict("right")
    best = max(keys, key=lambda key: (selected & key).bit_count())
    if best.bit_count() == 1:
        return Verdict("wrong")
    return Verdict("partly", (selected & best).bit_count(), best.bit_count())


def public_order(version: QuestionVersion) -> str:
    """The option order on pages outside a session: by slot."""
    return stored_order(option["slot"] for option in version.options)


def concept_names(versions: Sequence[QuestionVersion]) -> dict[str, str]:
    """Names of the concepts of these versions' options, by key; one query."""
    keys = {o["concept"] for v in versions for o in v.solution.text["options"] if o["concept"]}
    exams = {v.question.exam_id for v in versions}
    return dict(_names(keys, exams))


@composed_once
def _names(keys: Collection[str], exams: Collection[int]) -> QuerySet[Concept, tuple[str, str]]:
    return Concept.objects.filter(key__in=keys, domain__exam__in=exams).values_list("key", "name")
