"""The editors' desk: what may happen to a draft, by whom, and what it leaves in the question's history.

Two facts about a question: what is live (nothing, a version, withdrawn, retired), and what is on the desk (nothing, a
draft, in review, sent back). The live version stays while its successor is written.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Max
from django.utils.text import slugify

from questions.catalogue.models import Exam
from questions.desk.errors import Older
from questions.desk.models import DeskAct, DeskEntry, Waiver
from questions.desk.publish import publish_draft, refuse
from questions.desk.rules import fingerprint
from questions.lint.reads import known_names
from questions.lint.rules import WARN, Problem
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Desk, Option, Question
from questions.versions.models.versions import Change, QuestionVersion, Solution
from questions.versions.reads.drafts import canonical, draft_of, draft_of_version, with_draft
from questions.versions.rules.documents import key_mask
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import save_draft

KEY_LENGTH = 90


@dataclass(frozen=True)
class Publishing:
    """What its publisher says of a new version."""

    change: Change
    note: str = ""


def begin(exam: Exam, draft: DraftQuestion, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Put a new question on the desk; a draft without a key gets one from its title."""
    with transaction.atomic():
        Exam.objects.select_for_update().get(pk=exam.pk)
        question = Question(exam=exam, key=draft.key or _free_key(exam, draft.title), desk=Desk.DRAFT, changed_at=now)
        question = save_draft(exam, draft, question)
        question.authors.add(by.pk)
        _note(question, DeskAct.BEGUN, by, now)
    return question


def keep(question_id: int, draft: DraftQuestion, base: int, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Save the draft over the state numbered ``base``; the same content changes nothing.

    Raises Older where somebody saved after that state. A question in review goes back to being a draft.
    """
    with transaction.atomic():
        question = _locked(question_id)
        stored = draft_of(question)
        if _same(stored, draft):
            return question
        if question.revision != base:
            raise Older(question, stored)
        was = question.desk
        question.desk, question.revision, question.changed_at = Desk.DRAFT, base + 1, now
        save_draft(question.exam, draft, question)
        question.authors.add(by.pk)
        if was == Desk.NOTHING:
            _note(question, DeskAct.BEGUN, by, now)
        elif was == Desk.REVIEW:
            _note(question, DeskAct.TAKEN_BACK, by, now)
    return question


def submit(question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime, text: str = "") -> Question:
    """Ask for review. Raises Older, NotNow, and NotPublishable where lint refuses the draft."""
    with transaction.atomic():
        question = _locked(question_id, base)
        _need(question, Desk.DRAFT, Desk.SENT_BACK)
        refuse(question.key, draft_of(question), known_names(question.exam))
        _move(question, Desk.REVIEW)
        _note(question, DeskAct.SUBMITTED, by, now, text)
    return question


def send_back(question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime, text: str) -> Question:
    """Give a question in review back to its authors, with what is to be mended. Raises Older, NotNow."""
    with transaction.atomic():
        question = _locked(question_id, base)
        _need(question, Desk.REVIEW)
        if not text.strip():
            raise NotNow("Say what is to be mended: the authors see nothing else.")
        _move(question, Desk.SENT_BACK)
        _note(question, DeskAct.SENT_BACK, by, now, text)
    return question


def comment(question_id: int, by: AbstractBaseUser, now: dt.datetime, text: str) -> None:
    """Say something about what is on the desk. Raises NotNow for nothing said."""
    if not text.strip():
        raise NotNow("Write something first.")
    _note(Question.objects.get(pk=question_id), DeskAct.COMMENTED, by, now, text)


def release(question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime, what: Publishing) -> QuestionVersion:
    """Publish what is in review. Nobody publishes what they wrote at, unless PUBLISH_OWN_QUESTIONS is on.

    Raises Older, NotNow, and NotPublishable where lint refuses the draft.
    """
    with transaction.atomic():
        question = _locked(question_id, base)
        _need(question, Desk.REVIEW)
        if not settings.PUBLISH_OWN_QUESTIONS and question.authors.filter(pk=by.pk).exists():
            raise NotNow("You wrote at this draft, so somebody else has to publish it.")
        draft = draft_of(question)
        _refuse_wrong_change(question, draft, what.change)
        known = known_names(question.exam)
        version = publish_draft(question, draft, now, what.change, what.note.strip(), by, known)
        _note(question, DeskAct.PUBLISHED, by, now, what.note, version)
    return version


def discard(question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime) -> None:
    """Throw the draft away: the live version's text stands on the desk again. Raises Older, NotNow.

    A question of which nothing was ever published goes whole, with its history.
    """
    with transaction.atomic():
        question = _locked(question_id, base)
        _need(question, Desk.DRAFT, Desk.SENT_BACK)
        if question.live_version is None:
            question.delete()
            return
        _write_version(question, question.live_version)
        question.authors.clear()
        _move(question, Desk.NOTHING)
        _note(question, DeskAct.DISCARDED, by, now)


def restore(version: QuestionVersion, base: int, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Put an earlier version's text on the desk as a draft. Raises Older."""
    with transaction.atomic():
        question = _locked(version.question_id, base)
        _write_version(question, version)
        question.authors.add(by.pk)
        question.changed_at = now
        _move(question, Desk.DRAFT)
        _note(question, DeskAct.RESTORED, by, now, version=version)
    return question


def withdraw(question_id: int, by: AbstractBaseUser, now: dt.datetime, reason: str) -> None:
    """Out of new sittings at once; its page says that the answer is being checked. Any editor, alone."""
    if not reason.strip():
        raise NotNow("Say why it is withdrawn.")
    _live(question_id, by, now, DeskAct.WITHDRAWN, reason, {"withdrawn_at": None}, {"withdrawn_at": now})


def put_back(question_id: int, by: AbstractBaseUser, now: dt.datetime, reason: str = "") -> None:
    """Put a withdrawn question back in use. Raises NotNow."""
    _live(question_id, by, now, DeskAct.RETURNED, reason, {"withdrawn_at__isnull": False}, {"withdrawn_at": None})


def retire(question_id: int, by: AbstractBaseUser, now: dt.datetime, reason: str) -> None:
    """Take a question out of use for good: its address answers 410. Raises NotNow."""
    if not reason.strip():
        raise NotNow("Say why it is retired.")
    _live(question_id, by, now, DeskAct.RETIRED, reason, {}, {"retired_at": now})


def waive(question_id: int, problem: Problem, by: AbstractBaseUser, now: dt.datetime, reason: str) -> Waiver:
    """Leave a warning as it is, with a reason, until the text it is about changes. Raises NotNow."""
    if problem.severity != WARN:
        raise NotNow("What lint refuses cannot be waived.")
    if not reason.strip():
        raise NotNow("Say why the warning does not matter here.")
    question = with_draft(Question.objects.filter(pk=question_id)).get()
    with transaction.atomic():
        waiver, _ = Waiver.objects.update_or_create(
            question=question,
            fingerprint=fingerprint(draft_of(question), problem),
            defaults={"rule": problem.rule, "reason": reason.strip(), "by_id": by.pk, "at": now},
        )
        _note(question, DeskAct.WAIVED, by, now, f"{problem.rule}: {reason.strip()}")
    return waiver


def next_slot(question: Question) -> int:
    """A slot no option of the question ever had, in the draft or in a version."""
    drawn = Option.objects.filter(question=question).aggregate(most=Max("slot"))["most"] or 0
    published = [o["slot"] for options in question.versions.values_list("options", flat=True) for o in options]
    return max([drawn, *published]) + 1


def _locked(question_id: int, base: int | None = None) -> Question:
    question = Question.objects.select_for_update(of=("self",)).select_related("exam", "domain").get(pk=question_id)
    if base is not None and question.revision != base:
        raise Older(question, draft_of(question))
    return question


def _need(question: Question, *states: Desk) -> None:
    if question.desk not in states:
        raise NotNow(f"On the desk is now: {question.get_desk_display()}. Load the page again.")


def _move(question: Question, desk: Desk) -> None:
    question.desk = desk
    question.save(update_fields=["desk", "revision", "changed_at"])


def _same(stored: DraftQuestion, draft: DraftQuestion) -> bool:
    return stored.options == draft.options and canonical(stored) == canonical(draft)


def _write_version(question: Question, version: QuestionVersion) -> None:
    parts = ("version__question", "version__hint", "version__domain")
    draft = draft_of_version(Solution.objects.select_related(*parts).get(version=version))
    question.revision += 1
    save_draft(question.exam, draft, question)


def _refuse_wrong_change(question: Question, draft: DraftQuestion, change: Change) -> None:
    """A first version is a first version, and a key that changed is no matter of wording."""
    live = question.live_version
    if (live is None) != (change == Change.FIRST):
        raise NotNow("Only the first version can be, and must be, a first version.")
    if live is None:
        return
    was = Solution.objects.values_list("key_mask", flat=True).get(version=live)
    mask = key_mask(draft)
    if (was != mask) != (change == Change.KEY):
        raise NotNow("The key changed: say so." if was != mask else "The key did not change.")


def _live(
    question_id: int, by: AbstractBaseUser, now: dt.datetime, act: DeskAct, text: str, must: dict, to: dict
) -> None:
    with transaction.atomic():
        rows = Question.objects.filter(pk=question_id, live_version__isnull=False, retired_at=None, **must)
        if not rows.update(**to):
            raise NotNow("Somebody was faster, or nothing of it is published: load the page again.")
        _note(Question.objects.get(pk=question_id), act, by, now, text)


def _free_key(exam: Exam, title: str) -> str:
    stem = slugify(title)[:KEY_LENGTH].strip("-") or "question"
    taken = set(Question.objects.filter(exam=exam, key__startswith=stem).values_list("key", flat=True))
    return next(name for n in range(1, len(taken) + 2) if (name := stem if n == 1 else f"{stem}-{n}") not in taken)


def _note(
    question: Question,
    act: DeskAct,
    by: AbstractBaseUser,
    now: dt.datetime,
    text: str = "",
    version: QuestionVersion | None = None,
) -> None:
    DeskEntry.objects.create(question=question, act=act, text=text.strip(), version=version, by_id=by.pk, at=now)
