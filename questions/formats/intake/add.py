"""Many new drafts at once, as an import makes them: the rows that ``save_draft`` writes, in a few statements."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from questions.catalogue.models import Concept, Exam, StudyModule
from questions.desk.models import DeskAct, DeskEntry
from questions.versions.models.drafts import Clue, Desk, Option, Question, QuestionSource
from questions.versions.reads.drafts import SAME_NAMES
from questions.versions.rules.draft import DraftQuestion


def add_drafts(exam: Exam, drafts: Sequence[DraftQuestion], now: dt.datetime, note: str) -> list[Question]:
    """Put new questions on the desk, with a line in the history of each. Call inside a transaction.

    Keys must be free; domains, concepts and modules must exist in the exam.
    """
    domains = {domain.key: domain for domain in exam.domains.all()}
    questions = Question.objects.bulk_create(
        Question(
            exam=exam,
            key=draft.key,
            domain=domains[draft.domain],
            second_read_on=draft.second_read_on,
            key_concepts=list(draft.key_concepts),
            exam_tips=list(draft.exam_tips),
            desk=Desk.DRAFT,
            changed_at=now,
            **{name: getattr(draft, name) for name in SAME_NAMES},
        )
        for draft in drafts
    )
    pairs = list(zip(questions, drafts, strict=True))
    _add_names(exam, pairs)
    _add_parts(exam, pairs)
    DeskEntry.objects.bulk_create(DeskEntry(question=q, act=DeskAct.BEGUN, at=now, text=note) for q in questions)
    return questions


def _add_names(exam: Exam, pairs: list[tuple[Question, DraftQuestion]]) -> None:
    """Concepts and modules."""
    concepts = _concepts(exam)
    modules = {module.slug: module.pk for module in StudyModule.objects.filter(exam=exam).only("slug")}
    of_concepts, of_modules = Question.concepts.through, Question.modules.through
    of_concepts.objects.bulk_create(
        of_concepts(question_id=question.pk, concept_id=concepts[key])
        for question, draft in pairs
        for key in dict.fromkeys(draft.concepts)
    )
    of_modules.objects.bulk_create(
        of_modules(question_id=question.pk, studymodule_id=modules[slug])
        for question, draft in pairs
        for slug in dict.fromkeys(draft.modules)
    )


def _concepts(exam: Exam) -> dict[str, int]:
    return dict(Concept.objects.filter(domain__exam=exam).values_list("key", "pk"))


def _add_parts(exam: Exam, pairs: list[tuple[Question, DraftQuestion]]) -> None:
    """Options, clues and sources."""
    concepts = _concepts(exam)
    Option.objects.bulk_create(
        Option(
            question=question,
            slot=o.slot,
            position=i,
            text=o.text,
            is_right=o.right,
            tempts=o.tempts,
            why=o.why,
            concept_id=concepts[o.concept] if o.concept else None,
        )
        for question, draft in pairs
        for i, o in enumerate(draft.options)
    )
    Clue.objects.bulk_create(
        Clue(question=question, position=i, phrase=c.phrase, why=c.why, confirms=list(c.confirms))
        for question, draft in pairs
        for i, c in enumerate(draft.clues)
    )
    QuestionSource.objects.bulk_create(
        QuestionSource(question=question, title=s.title, url=s.url, as_of=s.as_of)
        for question, draft in pairs
        for s in draft.sources
    )
