"""Rows to drafts: the editable question as the neutral form, and its digest."""

from __future__ import annotations

import dataclasses
import datetime as dt
import hashlib
import json
from typing import Any

from django.db.models import QuerySet

from questions.catalogue.rules.sources import Source
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Solution
from questions.versions.rules.draft import ANSWER_PARTS, DraftClue, DraftOption, DraftQuestion

SAME_NAMES = ["pool", "kind", "difficulty", "title", "stem", *ANSWER_PARTS, "second_reader"]


def with_draft(questions: QuerySet[Question]) -> QuerySet[Question]:
    """Questions with everything ``draft_of`` reads, in a constant number of statements."""
    return questions.select_related("domain").prefetch_related(
        "concepts", "modules", "options__concept", "clues", "sources"
    )


def draft_of(question: Question) -> DraftQuestion:
    """The draft that stands in the rows now."""
    return DraftQuestion(
        key=question.key,
        domain=question.domain.key,
        concepts=tuple(sorted(concept.key for concept in question.concepts.all())),
        modules=tuple(sorted(module.slug for module in question.modules.all())),
        options=tuple(
            DraftOption(
                o.slot,
                o.text,
                o.is_right,
                o.tempts,
                o.why,
                o.concept.key if o.concept else None,
            )
            for o in question.options.all()
        ),
        clues=tuple(DraftClue(c.phrase, c.why, tuple(c.confirms)) for c in question.clues.all()),
        key_concepts=tuple(question.key_concepts),
        exam_tips=tuple(question.exam_tips),
        sources=tuple(Source(s.title, s.url, s.as_of) for s in question.sources.all()),
        second_read_on=question.second_read_on,
        **{name: getattr(question, name) for name in SAME_NAMES},
    )


def canonical(draft: DraftQuestion) -> DraftQuestion:
    """The draft with unordered parts in one order, as ``draft_of`` returns it."""
    return dataclasses.replace(
        draft,
        concepts=tuple(sorted(draft.concepts)),
        modules=tuple(sorted(draft.modules)),
        options=tuple(sorted(draft.options, key=lambda option: option.slot)),
    )


def digest(draft: DraftQuestion) -> str:
    """A fingerprint of the content, equal for equal drafts."""
    text = json.dumps(dataclasses.asdict(canonical(draft)), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def draft_of_version(solution: Solution) -> DraftQuestion:
    """The text a version was published from; ``solution.version`` with question, domain and hint must be loaded.

    Who read it second is not part of a version.
    """
    version, text = solution.version, solution.text
    reasons = {option["slot"]: option for option in text["options"]}
    why = {clue["phrase"]: clue["why"] for clue in version.hint.clues}
    return DraftQuestion(
        key=version.question.key,
        domain=version.domain.key,
        concepts=tuple(sorted(version.concepts.values_list("key", flat=True))),
        modules=tuple(sorted(text["modules"])),
        options=tuple(_option_of_version(option, reasons[option["slot"]]) for option in version.options),
        clues=tuple(DraftClue(c["phrase"], why[c["phrase"]], tuple(c["confirms"])) for c in text["clues"]),
        key_concepts=tuple(text["key_concepts"]),
        exam_tips=tuple(text["exam_tips"]),
        sources=tuple(Source(s["title"], s["url"], dt.date.fromisoformat(s["as_of"])) for s in text["sources"]),
        **{name: getattr(version, name) for name in ("pool", "kind", "difficulty", "title", "stem")},
        **{name: text[name] for name in ANSWER_PARTS},
    )


def _option_of_version(option: dict[str, Any], reason: dict[str, Any]) -> DraftOption:
    return DraftOption(
        option["slot"], option["text"], reason["right"], reason["tempts"], reason["why"], reason["concept"]
    )
