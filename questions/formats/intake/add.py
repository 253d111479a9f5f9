"""Many new drafts at once, as an import makes them: the rows that ``save_draft`` writes, in a few statements."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from itertools import count

from django.contrib.auth.models import AbstractBaseUser

from questions.catalogue.models import Exam, StudyModule
from questions.desk.models import DeskAct, DeskEntry
from questions.versions.models.drafts import Desk, Question
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import add_parts, concept_ids, family_of, module_slugs, own_columns


def add_drafts(
    exam: Exam, drafts: Sequence[DraftQuestion], now: dt.datetime, note: str, by: AbstractBaseUser | None = None
) -> list[Question]:
    """Put new questions on the desk, with a line in the history of each. Call inside a transaction.

    Keys must be free; domains, concepts and modules must exist in the exam. ``by`` is their author: somebody else has
    to publish what one person imports.
    """
    domains = {domain.key: domain for domain in exam.domains.all()}
    families = {draft.family: family_of(exam, draft) for draft in drafts if draft.family}
    places = {key: count(family.questions.count()) for key, family in families.items() if family}
    questions = Question.objects.bulk_create(
        Question(
            exam=exam,
            family=families.get(draft.family),
            place=next(places[draft.family]) if draft.family else 0,
            key=draft.key,
            domain=domains[draft.domain],
            desk=Desk.DRAFT,
            changed_at=now,
            **own_columns(draft),
        )
        for draft in drafts
    )
    pairs = list(zip(questions, drafts, strict=True))
    concepts = concept_ids(exam)
    _add_names(exam, pairs, concepts)
    add_parts(pairs, concepts)
    by_id = by.pk if by else None
    DeskEntry.objects.bulk_create(
        DeskEntry(question=q, act=DeskAct.BEGUN, at=now, text=note, by_id=by_id) for q in questions
    )
    if by:
        authors = Question.authors.through
        authors.objects.bulk_create(authors(question_id=q.pk, user_id=by.pk) for q in questions)
    return questions


def _add_names(exam: Exam, pairs: list[tuple[Question, DraftQuestion]], concepts: dict[str, int]) -> None:
    """Concepts and modules."""
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
        for slug in module_slugs(draft)
    )
