"""Rows to drafts: the editable question in neutral form, and its digest."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from typing import Any

from django.db.models import Max, QuerySet

from questions.catalogue.rules.sources import Source, source_from
from questions.versions.models.drafts import Option, Question
from questions.versions.models.versions import Solution
from questions.versions.rules.draft import ANSWER_PARTS, DraftClue, DraftOption, DraftQuestion, filled_in

SAME_NAMES = ["pool", "kind", "difficulty", "title", "stem", *ANSWER_PARTS, "second_reader"]


def with_draft(questions: QuerySet[Question]) -> QuerySet[Question]:
    """Questions with everything ``draft_of`` reads, in a constant number of queries."""
    return questions.select_related("domain", "family").prefetch_related(
        "concepts", "modules", "options__concept", "clues", "sources"
    )


def draft_of(question: Question) -> DraftQuestion:
    """The draft currently stored in the rows."""
    return DraftQuestion(
        key=question.key,
        domain=question.domain.key,
        concepts=tuple(sorted(concept.key for concept in question.concepts.all())),
        modules=_with_sections({module.slug for module in question.modules.all()}, question.sections),
        objectives=tuple(question.objectives),
        family=question.family.key if question.family else "",
        clause=question.clause,
        options=tuple(
            DraftOption(
                o.slot,
                o.text,
                o.is_right,
                o.tempts,
                o.why,
                o.concept.key if o.concept else None,
                o.right_if,
                o.never,
            )
            for o in question.options.all()
        ),
        clues=tuple(DraftClue(c.phrase, c.why, tuple(c.confirms), tuple(c.rules_out)) for c in question.clues.all()),
        key_concepts=tuple(question.key_concepts),
        exam_tips=tuple(question.exam_tips),
        sources=tuple(Source(s.title, s.url, s.as_of, s.says) for s in question.sources.all()),
        second_read_on=question.second_read_on,
        **{name: getattr(question, name) for name in SAME_NAMES},
    )


def _with_sections(slugs: set[str], sections: Sequence[str]) -> tuple[str, ...]:
    """Each module by its named sections, or as a whole if none is named."""
    named = [each for each in sections if each.partition("#")[0] in slugs]
    return tuple(sorted({*named, *(slugs - {each.partition("#")[0] for each in named})}))


def highest_slot(question: Question) -> int:
    """The highest slot any option of the question ever had, in the draft or a version; 0 if none."""
    drawn = Option.objects.filter(question=question).aggregate(most=Max("slot"))["most"] or 0
    # Versions too: stored answers are slot masks, so reusing a slot would change their meaning.
    published = [o["slot"] for options in question.versions.values_list("options", flat=True) for o in options]
    return max([drawn, *published])


def canonical(draft: DraftQuestion) -> DraftQuestion:
    """The draft with unordered parts sorted, as ``draft_of`` returns it."""
    return dataclasses.replace(
        draft,
        concepts=tuple(sorted(draft.concepts)),
        modules=tuple(sorted(draft.modules)),
        options=tuple(sorted(draft.options, key=lambda option: option.slot)),
    )


def digest(draft: DraftQuestion) -> str:
    """A fingerprint of the content, equal for equal drafts.

    Fields added to the format later only count if filled in, so that older drafts keep their digest.
    """
    text = json.dumps(dataclasses.asdict(canonical(draft), dict_factory=filled_in), sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def draft_of_version(solution: Solution) -> DraftQuestion:
    """The text a version was published from; ``solution.version`` must be loaded with question, domain and hint.

    The second reader isn't part of a version.
    """
    version, text = solution.version, solution.text
    reasons = {option["slot"]: option for option in text["options"]}
    why = {clue["phrase"]: clue["why"] for clue in version.hint.clues}
    return DraftQuestion(
        key=version.question.key,
        domain=version.domain.key,
        concepts=tuple(sorted(concept.key for concept in version.concepts.all())),
        modules=tuple(sorted(text["modules"])),
        options=tuple(_option_of_version(option, reasons[option["slot"]]) for option in version.options),
        objectives=tuple(text.get("objectives", [])),
        family=version.family.key if version.family else "",
        clause=version.clause,
        clues=tuple(
            DraftClue(c["phrase"], why[c["phrase"]], tuple(c["confirms"]), tuple(c.get("rules_out", [])))
            for c in text["clues"]
        ),
        key_concepts=tuple(text["key_concepts"]),
        exam_tips=tuple(text["exam_tips"]),
        sources=tuple(source_from(facts) for facts in text["sources"]),
        **{name: getattr(version, name) for name in ("pool", "kind", "difficulty", "title", "stem")},
        **{name: text[name] for name in ANSWER_PARTS},
    )


def _option_of_version(option: dict[str, Any], reason: dict[str, Any]) -> DraftOption:
    return DraftOption(
        option["slot"],
        option["text"],
        reason["right"],
        reason["tempts"],
        reason["why"],
        reason["concept"],
        reason.get("right_if", ""),
        reason.get("never", ""),
    )
