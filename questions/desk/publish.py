"""Publishing: the draft becomes an immutable version in three documents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import OuterRef, Subquery

from questions.catalogue.models import Exam
from questions.desk.errors import NotPublishable
from questions.lint.reads import with_pictures_of
from questions.lint.rules import BASIC, NOTHING, REFUSE, Known, lint
from questions.versions.material.pictures.store import note_uses
from questions.versions.models.drafts import Desk, Pool, Question
from questions.versions.models.versions import Change, Hint, QuestionVersion, Solution
from questions.versions.reads.drafts import draft_of
from questions.versions.rules import documents
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import concept_ids, save_new
from questions.versions.search.index import index_new, index_version


@dataclass(frozen=True)
class Publishing:
    """What the publisher says about a new version."""

    change: Change
    note: str = ""
    basic: bool = False  # if it isn't complete enough for a full question


def publish(
    question: Question,
    now: dt.datetime,
    change: Change,
    note: str = "",
    by: AbstractBaseUser | None = None,
) -> QuestionVersion:
    """Publish the stored draft as the live version; see ``publish_draft``."""
    return publish_draft(question, draft_of(question), now, Publishing(change, note), by)


def publish_draft(
    question: Question,
    draft: DraftQuestion,
    now: dt.datetime,
    what: Publishing,
    by: AbstractBaseUser | None,
    known: Known | None = NOTHING,
) -> QuestionVersion:
    """Publish ``draft``, read from the question's own rows, as its live version; raises NotPublishable if lint refuses
    it.

    ``known`` is None if the caller has just found that lint refuses nothing. If published as ``basic``, a draft not
    complete enough for a full question becomes a basic one. A public question gets its public number at its first
    publishing, and keeps it for ever.
    """
    is_basic = known is not None and refuse(question.key, draft, known, what.basic)
    with transaction.atomic():
        # Public numbers are assigned under the exam's lock: without duplicates or gaps.
        exam = Exam.objects.select_for_update().get(pk=question.exam_id)
        version = _store_version(question, draft, now, what, by, is_basic)
        _store_answers([(version, draft)])
        _go_live(question, version, exam)
        # Last, and in the same transaction: search never finds what isn't live, and the word counts that many
        # publishers share are locked for the shortest time.
        index_version(version)
    return version


def publish_new(exam: Exam, pairs: Sequence[tuple[Question, DraftQuestion]], now: dt.datetime, note: str) -> None:
    """Store questions that have no row yet, and make their drafts their first versions, all in a few statements.

    What ``save_new`` needs must hold, and lint must refuse nothing of them.
    """
    with transaction.atomic():
        _number(exam, pairs)
        save_new(exam, pairs)
        first = Publishing(Change.FIRST, note)
        versions = QuestionVersion.objects.bulk_create(_version(*pair, now, first) for pair in pairs)
        concepts, of_concepts = concept_ids(exam), QuestionVersion.concepts.through
        of_concepts.objects.bulk_create(
            of_concepts(questionversion_id=version.pk, concept_id=concepts[key])
            for version, (_, draft) in zip(versions, pairs, strict=True)
            for key in dict.fromkeys(draft.concepts)
        )
        _store_answers(list(zip(versions, (draft for _, draft in pairs), strict=True)))
        only = QuestionVersion.objects.filter(question=OuterRef("pk")).values("pk")[:1]
        Question.objects.filter(pk__in=[question.pk for question, _ in pairs]).update(live_version=Subquery(only))
        index_new([version for version in versions if version.pool == Pool.PUBLIC])


def _number(exam: Exam, pairs: Sequence[tuple[Question, DraftQuestion]]) -> None:
    """Give those of the public pool their public numbers."""
    locked = Exam.objects.select_for_update().get(pk=exam.pk)
    public = [question for question, draft in pairs if draft.pool == Pool.PUBLIC]
    for number, question in enumerate(public, locked.highest_number + 1):
        question.number = number
    locked.highest_number += len(public)
    locked.save(update_fields=["highest_number"])


def refuse(key: str, draft: DraftQuestion, known: Known = NOTHING, basic: bool = False) -> bool:
    """Whether the draft is only a basic question; raises NotPublishable if lint refuses it.

    Without ``basic``, it must be a full one.
    """
    known = with_pictures_of(known, draft)
    refused = lint(draft, known, REFUSE)
    if refused and basic:
        refused = lint(draft, known, REFUSE, BASIC)
        if not refused:
            return True
    if refused:
        raise NotPublishable(key, refused)
    return False


def _store_version(
    question: Question,
    draft: DraftQuestion,
    now: dt.datetime,
    what: Publishing,
    by: AbstractBaseUser | None,
    is_basic: bool,
) -> QuestionVersion:
    latest = question.versions.order_by("number").last()
    version = _version(question, draft, now, what)
    version.is_basic, version.published_by_id = is_basic, by.pk if by else None
    if latest:
        version.number = latest.number + 1
        # Fixing a typo changes nothing that is measured, so its answers add to the counts of the previous version. A
        # basic version isn't measured, so a full one after it starts new counts.
        if what.change == Change.TYPO and not latest.is_basic:
            version.measured_as_id = latest.measured_as_id or latest.pk
    version.save()
    version.concepts.add(*question.concepts.values_list("pk", flat=True))
    return version


def _version(question: Question, draft: DraftQuestion, now: dt.datetime, what: Publishing) -> QuestionVersion:
    """The draft as a first version that nobody in particular published."""
    facts = documents.prompt_facts(draft)
    return QuestionVersion(
        question=question,
        number=1,
        family_id=question.family_id,
        clause=draft.clause,
        domain_id=question.domain_id,
        kind=draft.kind,
        difficulty=draft.difficulty,
        pool=draft.pool,
        title=draft.title,
        change=what.change,
        change_note=what.note,
        published_at=now,
        **facts,
        **documents.prompt_html(draft.stem, facts["options"]),
    )


def _store_answers(pairs: Sequence[tuple[QuestionVersion, DraftQuestion]]) -> None:
    """Hints, solutions and the pictures shown."""
    hints, solutions = [], []
    for version, draft in pairs:
        clues, solution = documents.hint_facts(draft), documents.solution_facts(draft)
        hints.append(Hint(version=version, clues=clues, html=documents.hint_html(draft.stem, clues)))
        key, html = documents.key_mask(draft), documents.solution_html(solution)
        solutions.append(Solution(version=version, key_mask=key, text=solution, html=html))
    Hint.objects.bulk_create(hints)
    Solution.objects.bulk_create(solutions)
    for version, draft in pairs:
        note_uses(version, draft)


def _go_live(question: Question, version: QuestionVersion, exam: Exam) -> None:
    if question.desk != Desk.NOTHING:
        question.authors.clear()
    question.live_version, question.desk = version, Desk.NOTHING
    if question.pool == Pool.PUBLIC and question.number is None:
        exam.highest_number += 1
        exam.save(update_fields=["highest_number"])
        question.number = exam.highest_number
    # Only these columns: a withdrawal made in the meantime, which doesn't take this lock, must stay.
    question.save(update_fields=["live_version", "desk", "number"])


def rerender(version: QuestionVersion) -> None:
    """Rebuild the derived HTML of a version from its facts; the facts stay as they are."""
    prompt = documents.prompt_html(version.stem, version.options)
    QuestionVersion.objects.filter(pk=version.pk).update(**prompt)
    Hint.objects.filter(pk=version.pk).update(html=documents.hint_html(version.stem, version.hint.clues))
    Solution.objects.filter(pk=version.pk).update(html=documents.solution_html(version.solution.text))
