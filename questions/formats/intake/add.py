"""Adding many drafts at once, for an import: the rows ``save_draft`` would write, in a few statements."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from itertools import count

from django.contrib.auth.models import AbstractBaseUser

from questions.catalogue.models import Exam
from questions.desk.models import DeskAct, DeskEntry
from questions.versions.models.drafts import Desk, Question
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import save_new


def add_drafts(
    exam: Exam, drafts: Sequence[DraftQuestion], now: dt.datetime, note: str, by: AbstractBaseUser | None = None
) -> list[Question]:
    """Put new questions on the desk, with a history line each. Call inside a transaction.

    Keys must be free; domains, concepts and modules must exist in the exam. ``by`` is their author: somebody else has
    to publish what one person imports.
    """
    keys = {draft.family for draft in drafts if draft.family}
    siblings = Counter(Question.objects.filter(exam=exam, family__key__in=keys).values_list("family__key", flat=True))
    places = {key: count(siblings[key]) for key in keys}
    questions = [
        Question(
            exam=exam,
            key=draft.key,
            place=next(places[draft.family]) if draft.family else 0,
            desk=Desk.DRAFT,
            changed_at=now,
        )
        for draft in drafts
    ]
    save_new(exam, list(zip(questions, drafts, strict=True)))
    by_id = by.pk if by else None
    DeskEntry.objects.bulk_create(
        DeskEntry(question=q, act=DeskAct.BEGUN, at=now, text=note, by_id=by_id) for q in questions
    )
    if by:
        authors = Question.authors.through
        authors.objects.bulk_create(authors(question_id=q.pk, user_id=by.pk) for q in questions)
    return questions
