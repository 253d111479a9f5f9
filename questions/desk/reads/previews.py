"""A draft as a learner would see it, rendered by the code for the real pages, before anything is stored."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from questions.catalogue.models import Exam
from questions.versions.models.drafts import Kind
from questions.versions.models.versions import Hint, QuestionVersion, Solution
from questions.versions.reads.breakdowns import LETTERS, Breakdown, breakdown_of, public_order
from questions.versions.reads.prompts import PrintedDomain, PromptOption
from questions.versions.reads.public import instruction
from questions.versions.rules import documents
from questions.versions.rules.draft import DraftQuestion


@dataclass(frozen=True)
class PreviewPage:
    """The main part of the public page for a draft. ``number`` is a word if it has none yet."""

    exam: Exam
    number: int | str
    title: str
    domain: PrintedDomain
    blueprint: str
    difficulty: str
    instruction: str
    is_multiple: bool
    stem_html: str
    clues: list[dict[str, str]]
    options: list[PromptOption]
    solution: Breakdown
    is_basic: bool = False  # determined at publishing


@dataclass(frozen=True)
class PreviewItem:
    """The draft as the only question of a mock: no hint, nothing selected."""

    stem_html: str
    options: list[dict[str, Any]]
    kind: str
    choose: int
    instruction: str
    head: str
    position: int = 1


def preview_page(
    draft: DraftQuestion, exam: Exam, number: int | None, domain_name: str, concept_names: dict[str, str]
) -> PreviewPage:
    """The page, with the answer collapsed."""
    version = _version(draft)
    slots = [option["slot"] for option in version.options]
    options = [PromptOption(slot, LETTERS[i], version.options_html[str(slot)]) for i, slot in enumerate(slots)]
    return PreviewPage(
        exam=exam,
        number=number or "new",
        title=draft.title,
        domain=PrintedDomain(draft.domain, *_domain(domain_name), "", 0),
        blueprint=exam.blueprints.filter(is_current=True).values_list("name", flat=True).first() or "",
        difficulty=draft.difficulty,
        instruction=instruction(version.choose),
        is_multiple=draft.kind == Kind.MULTIPLE,
        stem_html=version.hint.html["stem"],
        clues=version.hint.html["clues"],
        options=options,
        solution=breakdown_of(version, public_order(version), 0, concept_names, kept_back=0),
    )


def preview_item(draft: DraftQuestion, domain_name: str) -> PreviewItem:
    facts = documents.prompt_facts(draft)
    html = documents.prompt_html(draft.stem, facts["options"])
    choose = facts["choose"]
    return PreviewItem(
        stem_html=html["stem_html"],
        options=[
            {"place": place, "html": html["options_html"][str(option["slot"])]}
            for place, option in enumerate(facts["options"])
        ],
        kind=draft.kind,
        choose=choose,
        instruction=instruction(choose).capitalize(),
        head=domain_name.partition(" ")[2],
    )


def _version(draft: DraftQuestion) -> QuestionVersion:
    """A version with its documents, only in memory. Clues without words or for missing options are left out."""
    slots = {option.slot for option in draft.options}
    clues = tuple(
        dataclasses.replace(
            clue,
            confirms=tuple(slot for slot in clue.confirms if slot in slots),
            rules_out=tuple(slot for slot in clue.rules_out if slot in slots),
        )
        for clue in draft.clues
        if clue.phrase.strip()
    )
    draft = dataclasses.replace(draft, clues=clues)
    facts = documents.prompt_facts(draft)
    version = QuestionVersion(title=draft.title, **facts, **documents.prompt_html(draft.stem, facts["options"]))
    hints = documents.hint_facts(draft)
    Hint(version=version, clues=hints, html=documents.hint_html(draft.stem, hints))
    solution = documents.solution_facts(draft)
    html = documents.solution_html(solution)
    Solution(version=version, key_mask=documents.key_mask(draft), text=solution, html=html)
    return version


def _domain(name: str) -> tuple[int, str]:
    number, _, words = name.partition(" ")
    return int(number) if number.isdecimal() else 0, words
