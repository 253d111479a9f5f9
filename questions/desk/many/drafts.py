"""Copying questions, and deleting or publishing drafts together, all of them or none."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from questions.catalogue.models import Exam
from questions.desk.decide import drop_if_empty, free_key, locked, move, note, release, unit_of
from questions.desk.models import DeskAct
from questions.desk.publish import Publishing
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Desk, Question
from questions.versions.models.versions import Change, QuestionVersion
from questions.versions.reads.drafts import draft_of
from questions.versions.save import save_draft


def copy_question(question_id: int, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Start a draft with a question's whole text; a family's variant becomes a separate question.

    Its second reader isn't copied: they read the original.
    """
    with transaction.atomic():
        question = locked(question_id)
        # A lock for the copy's permanent name, taken after the question's, as everywhere on the desk.
        exam = Exam.objects.select_for_update().get(pk=question.exam_id)
        text = dataclasses.replace(draft_of(question), family="", clause="", second_reader="", second_read_on=None)
        text = dataclasses.replace(text, key=free_key(exam, text.title or question.key))
        copy = save_draft(exam, text, Question(exam=exam, key=text.key))
        copy.authors.add(by.pk)
        move([copy], Desk.DRAFT, at=now)
        note(copy, DeskAct.COPIED, by, now, question.key)
    return copy


def delete_drafts(bases: Mapping[int, int]) -> int:
    """Delete questions that were never published, given their revisions; all of them or none.

    A family is deleted with its last variant; remaining variants don't change. Raises Older, NotNow.
    """
    with transaction.atomic():
        for pk, base in sorted(bases.items()):
            # In order of id, so that two people who delete or publish overlapping selections wait for each other and
            # never deadlock.
            question = locked(pk, base)
            if question.versions.exists():
                raise NotNow("draft-published", title=question.title or question.key)
            if question.desk == Desk.REVIEW:
                raise NotNow("draft-in-review", title=question.title or question.key)
            family = question.family
            rest = [each for each in unit_of(question) if each.pk != pk]
            question.delete()
            # A page of a sibling that was opened earlier shows a variant that is now gone.
            move([each for each in rest if each.pk not in bases], Desk(question.desk), question.revision + 1)
            drop_if_empty(family)
    return len(bases)


def release_together(
    bases: Mapping[int, int], what: Publishing, by: AbstractBaseUser, now: dt.datetime
) -> list[QuestionVersion]:
    """Publish drafts in review, given their revisions; all of them or none.

    New questions are first versions, whatever ``what`` says about the others. Raises Older, NotNow and NotPublishable,
    like publishing a single one.
    """
    versions: list[QuestionVersion] = []
    done: set[int] = set()
    with transaction.atomic():
        for pk, base in sorted(bases.items()):
            if pk in done:  # its family was published with a sibling
                continue
            question = locked(pk, base)
            if question.desk != Desk.REVIEW:
                raise NotNow("not-in-review", title=question.title or question.key)
            done |= _siblings(question)
            kind = what.change if question.live_version_id else Change.FIRST
            versions.append(release(pk, base, by, now, dataclasses.replace(what, change=kind)))
    return versions


def _siblings(question: Question) -> set[int]:
    return {each.pk for each in unit_of(question)}
