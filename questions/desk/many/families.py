"""Starting families, adding variants, and removing variants that were never published."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from questions.catalogue.models import Exam
from questions.desk.decide import drop_if_empty, free_key, locked, move, note, put_on_desk, unit_of
from questions.desk.models import DeskAct
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Desk, Difficulty, Family, Question
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.draft import ANSWER_PARTS, DraftQuestion
from questions.versions.rules.family import Shared, shared_of, with_shared
from questions.versions.save import save_draft

# What variants usually share beyond what they must; a new one starts with a copy of an older one's.
USUALLY_ALIKE = ("concepts", "objectives", "modules", "difficulty", "detail", "key_concepts", "example", "sources")


@dataclass(frozen=True)
class NewVariant:
    """What a variant starts with: its topic, and its clause."""

    title: str
    clause: str


def begin_family(
    exam: Exam, key: str, shared: Shared, variants: Sequence[NewVariant], by: AbstractBaseUser, now: dt.datetime
) -> Family:
    """Put a new family on the desk; the default key is made from its first variant's title. Raises NotNow."""
    with transaction.atomic():
        # One lock for all names given out here: the family's and each variant's.
        Exam.objects.select_for_update().get(pk=exam.pk)
        key = _free_name(exam, key or free_key(exam, variants[0].title), given=bool(key))
        for place, variant in enumerate(variants):
            blank = _blank(shared, key, variant)
            _begin(exam, blank, place, 0, by, now)
    return Family.objects.get(exam=exam, key=key)


def add_variant(family_id: int, base: int, variant: NewVariant, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Add a question to the family, putting it and its siblings on the desk. Raises Older, NotNow."""
    with transaction.atomic():
        last = Question.objects.filter(family=family_id, retired_at=None).order_by("-place", "-pk").first()
        if last is None:
            raise NotNow("family-empty")
        question = locked(last.pk, base)
        # Nobody else may take the new question's permanent name meanwhile. This lock comes after the family's, as in
        # publishing; the other way round, two editors could wait for each other.
        Exam.objects.select_for_update().get(pk=question.exam_id)
        put_on_desk(question, [], by, now)
        return _join(question, variant, by, now)


def add_to_lone(
    question_id: int, base: int, key: str, clause: str, variant: NewVariant, by: AbstractBaseUser, now: dt.datetime
) -> Question:
    """Make a family from a single question, whose stem contains ``clause`` once, and a new variant.

    Raises Older, NotNow.
    """
    with transaction.atomic():
        question = locked(question_id, base)
        stored = draft_of(question)
        if question.retired_at or question.family_id:
            raise NotNow("not-lone")
        if stored.stem.count(clause) != 1:
            raise NotNow("clause-not-once")
        # Locked again after the question, because two names are given out: the family's and the new variant's.
        Exam.objects.select_for_update().get(pk=question.exam_id)
        key = _free_name(question.exam, key or question.key, given=bool(key))
        put_on_desk(question, [(question, dataclasses.replace(stored, family=key, clause=clause))], by, now)
        return _join(question, variant, by, now)


def remove_variant(question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime) -> None:
    """Delete a variant that was never published; the others stay. Raises Older, NotNow."""
    with transaction.atomic():
        question = locked(question_id, base)
        family, unit = question.family, unit_of(question)
        if family is None or question.versions.exists():
            raise NotNow("variant-published")
        rest = [each for each in unit if each.pk != question.pk]
        if rest:
            put_on_desk(rest[0], [], by, now)
        question.delete()
        drop_if_empty(family)


def _join(question: Question, variant: NewVariant, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Add a question next to this one, whose unit is already a draft."""
    stored = draft_of(question)
    alike = {name: getattr(stored, name) for name in USUALLY_ALIKE}
    blank = dataclasses.replace(_blank(shared_of(stored), stored.family, variant), **alike)
    return _begin(question.exam, blank, question.place + 1, question.revision, by, now)


def _begin(
    exam: Exam, draft: DraftQuestion, place: int, revision: int, by: AbstractBaseUser, now: dt.datetime
) -> Question:
    draft = dataclasses.replace(draft, key=free_key(exam, draft.title))
    question = save_draft(exam, draft, Question(exam=exam, key=draft.key, place=place))
    move([question], Desk.DRAFT, revision, now)
    question.authors.add(by.pk)
    note(question, DeskAct.BEGUN, by, now)
    return question


def _free_name(exam: Exam, key: str, given: bool) -> str:
    """The family's permanent name. Raises NotNow if the ``given`` one is taken."""
    taken = set(Family.objects.filter(exam=exam, key__startswith=key).values_list("key", flat=True))
    if key in taken and given:
        raise NotNow("family-name-taken")
    return next(name for n in range(1, len(taken) + 2) if (name := key if n == 1 else f"{key}-{n}") not in taken)


def _blank(shared: Shared, key: str, variant: NewVariant) -> DraftQuestion:
    """A question of the family with only its clause: no key, no reasons, no answer."""
    nothing: dict[str, Any] = dict.fromkeys(ANSWER_PARTS, "")
    draft = DraftQuestion(
        key="",
        domain=shared.domain,
        concepts=(),
        pool=shared.pool,
        kind=shared.kind,
        difficulty=Difficulty.MEDIUM,
        title=variant.title,
        stem="",
        options=(),
        clues=(),
        key_concepts=(),
        exam_tips=(),
        sources=(),
        family=key,
        clause=variant.clause,
        **nothing,
    )
    return with_shared(draft, shared)
