"""The editors' desk: what can happen to a draft, by whom, and what that leaves in the question's history.

Two facts about a question: what is live (nothing, a version, withdrawn, retired), and what is on the desk (nothing, a
draft, in review, sent back). The live version stays while its successor is written. The questions of a family share one
desk: one revision, one state, and one publishing.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.text import slugify

from questions.catalogue.models import Exam
from questions.desk.errors import NotPublishable, Older
from questions.desk.models import DeskAct, DeskEntry, Waiver
from questions.desk.publish import Publishing, publish_draft, refuse
from questions.desk.reads.family import members_of
from questions.lint.reads import known_names
from questions.lint.rules import REFUSE, WARN, Problem, lint_families
from questions.lint.rules.registry import fingerprint
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Desk, Family, Question
from questions.versions.models.versions import Change, QuestionVersion, Solution
from questions.versions.reads.drafts import canonical, draft_of, draft_of_version, with_draft
from questions.versions.rules.documents import key_mask
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.draft_diff import changes
from questions.versions.rules.family import Own, Shared, shared_of, with_own, with_shared
from questions.versions.save import save_draft

KEY_LENGTH = 90  # The column holds 100; this leaves room for "-2" and so on if titles are alike.


def begin(exam: Exam, draft: DraftQuestion, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Put a new question on the desk; a draft without a key gets one from its title."""
    with transaction.atomic():
        # A lock, so that two titles with the same key don't both find it free.
        Exam.objects.select_for_update().get(pk=exam.pk)
        question = Question(exam=exam, key=draft.key or free_key(exam, draft.title), desk=Desk.DRAFT, changed_at=now)
        question = save_draft(exam, draft, question)
        question.authors.add(by.pk)
        note(question, DeskAct.BEGUN, by, now)
    return question


def keep(question_id: int, draft: DraftQuestion, base: int, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Save the draft over the state numbered ``base``; unchanged content changes nothing.

    Raises Older if somebody saved after that state, and NotNow if the draft changes what its family shares, which is up
    to ``keep_family``. A question in review becomes a draft again.
    """
    with transaction.atomic():
        question = locked(question_id)
        stored = draft_of(question)
        # Before checking the revision, because saving what is already there conflicts with nobody.
        if _same(stored, draft):
            return question
        if question.revision != base:
            raise Older(question, stored)
        if stored.family and shared_of(draft) != shared_of(stored):
            raise NotNow("shared-text")
        put_on_desk(question, [(question, draft)], by, now)
    return question


def keep_family(
    family_id: int,
    shared: Shared,
    base: int,
    by: AbstractBaseUser,
    now: dt.datetime,
    own: Mapping[int, Own] | None = None,
) -> None:
    """Save what a family shares in each of its questions, and each one's own parts; all or none. Raises Older."""
    with transaction.atomic():
        first = locked(members_of(family_id)[0].pk)
        unit = unit_of(first)
        stored = {each.pk: draft_of(each) for each in unit}
        mine = {pk: with_own(draft, own[pk]) if own and pk in own else draft for pk, draft in stored.items()}
        drafts = {pk: with_shared(draft, shared) for pk, draft in mine.items()}
        if all(_same(stored[pk], draft) for pk, draft in drafts.items()):
            return
        if first.revision != base:
            raise Older(first, stored[first.pk])
        put_on_desk(first, [(each, drafts[each.pk]) for each in unit], by, now)


def submit(
    question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime, text: str = "", basic: bool = False
) -> Question:
    """Submit for review.

    Raises Older, NotNow, and NotPublishable if lint refuses the draft. ``basic`` requires less.
    """
    with transaction.atomic():
        question = locked(question_id, base)
        _need(question, Desk.DRAFT, Desk.SENT_BACK)
        # Checked under the lock: what goes to review is the very text that passed.
        unit, known = unit_of(question), known_names(question.exam)
        drafts = [draft_of(each) for each in unit]
        for each, draft in zip(unit, drafts, strict=True):
            if refuse(draft.key, draft, known, basic):
                _refuse_less(each)
        _refuse_family(drafts)
        move(unit, Desk.REVIEW)
        _note_all(unit, DeskAct.SUBMITTED, by, now, text)
    return question


def send_back(question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime, text: str) -> Question:
    """Send a question in review back to its authors, saying what to fix. Raises Older, NotNow."""
    with transaction.atomic():
        question = locked(question_id, base)
        _need(question, Desk.REVIEW)
        if not text.strip():
            raise NotNow("nothing-to-fix")
        unit = unit_of(question)
        move(unit, Desk.SENT_BACK)
        _note_all(unit, DeskAct.SENT_BACK, by, now, text)
    return question


def comment(question_id: int, by: AbstractBaseUser, now: dt.datetime, text: str) -> None:
    """Comment on the draft. Raises NotNow if the comment is empty."""
    if not text.strip():
        raise NotNow("no-comment")
    note(Question.objects.get(pk=question_id), DeskAct.COMMENTED, by, now, text)


def release(question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime, what: Publishing) -> QuestionVersion:
    """Publish what is in review; in a family, each question that differs from its live text.

    Nobody publishes what they worked on, unless PUBLISH_OWN_QUESTIONS is on. Returns the version of the given question,
    or its live one if that is unchanged. Raises Older, NotNow, and NotPublishable if lint refuses a draft.
    """
    with transaction.atomic():
        question = locked(question_id, base)
        _need(question, Desk.REVIEW)
        unit = unit_of(question)
        wrote = Question.objects.filter(pk__in=[each.pk for each in unit], authors=by.pk).exists()
        # Authors of the whole family: its questions share text, so anyone who wrote one wrote part of each.
        if wrote and not settings.PUBLISH_OWN_QUESTIONS:
            raise NotNow("own-draft")
        drafts = {each.pk: draft_of(each) for each in unit}
        _refuse_wrong_change(question, drafts[question.pk], what.change)
        _refuse_family(list(drafts.values()))
        known = known_names(question.exam)
        for each in unit:
            draft = drafts[each.pk]
            if each.pk == question.pk or _differs(each, draft):
                change = what.change if each.pk == question.pk else _change_of_sibling(each, draft, what.change)
                # A family is published as a unit: each sibling that differs gets a version, though only one was named.
                said = dataclasses.replace(what, change=change, note=what.note.strip())
                version = publish_draft(each, draft, now, said, by, known)
                if version.is_basic:
                    _refuse_less(each)
                note(each, DeskAct.PUBLISHED, by, now, what.note, version)
            else:
                # As in publishing: the next draft has its own authors.
                each.authors.clear()
        move(unit, Desk.NOTHING)
    return QuestionVersion.objects.get(live_of=question_id)


def discard(question_id: int, base: int, by: AbstractBaseUser, now: dt.datetime) -> None:
    """Discard the draft: the live version's text is on the desk again. Raises Older, NotNow.

    A question that was never published is deleted, with its history.
    """
    with transaction.atomic():
        question = locked(question_id, base)
        _need(question, Desk.DRAFT, Desk.SENT_BACK)
        unit, family = unit_of(question), question.family
        live = [each for each in unit if each.live_version]
        for each in unit:
            if each.live_version is None:
                each.delete()
                continue
            # Written back to the draft, because lists, search and lint look at the draft's rows alone.
            save_draft(each.exam, _draft_published(each.live_version), each)
            each.authors.clear()
        move(live, Desk.NOTHING, question.revision + 1)
        _note_all(live, DeskAct.DISCARDED, by, now)
        drop_if_empty(family)


def restore(version: QuestionVersion, base: int, by: AbstractBaseUser, now: dt.datetime) -> Question:
    """Put an earlier version's text on the desk as a draft, without changing what its family shares. Raises Older."""
    with transaction.atomic():
        question = locked(version.question_id, base)
        draft, stored = _draft_published(version), draft_of(question)
        if stored.family:
            own = dataclasses.replace(draft, family=stored.family, clause=draft.clause or stored.clause)
            draft = with_shared(own, shared_of(stored))
        save_draft(question.exam, draft, question)
        question.authors.add(by.pk)
        move(unit_of(question), Desk.DRAFT, question.revision + 1, now)
        note(question, DeskAct.RESTORED, by, now, version=version)
    return question


def withdraw(question_id: int, by: AbstractBaseUser, now: dt.datetime, reason: str) -> None:
    """Take a question out of new sessions at once; its page says that the answer is being checked. Any editor can."""
    if not reason.strip():
        raise NotNow("no-reason-to-withdraw")
    _live(question_id, by, now, DeskAct.WITHDRAWN, reason, {"withdrawn_at": None}, {"withdrawn_at": now})


def put_back(question_id: int, by: AbstractBaseUser, now: dt.datetime, reason: str = "") -> None:
    """Restore a withdrawn question. Raises NotNow."""
    _live(question_id, by, now, DeskAct.RETURNED, reason, {"withdrawn_at__isnull": False}, {"withdrawn_at": None})


def retire(
    question_id: int,
    by: AbstractBaseUser | None,
    now: dt.datetime,
    reason: str,
    successor: Question | None = None,
) -> None:
    """Take a question out of use permanently: its URL answers 410 with the reason. Raises NotNow."""
    if not reason.strip():
        raise NotNow("no-reason-to-retire")
    facts = {"retired_at": now, "retired_why": reason.strip(), "successor": successor}
    _live(question_id, by, now, DeskAct.RETIRED, reason, {}, facts)


def waive(question_id: int, problem: Problem, by: AbstractBaseUser, now: dt.datetime, reason: str) -> Waiver:
    """Accept a warning, with a reason, until its text changes. Raises NotNow."""
    if problem.severity != WARN:
        raise NotNow("not-a-warning")
    if not reason.strip():
        raise NotNow("no-reason-to-waive")
    question = with_draft(Question.objects.filter(pk=question_id)).get()
    with transaction.atomic():
        waiver, _ = Waiver.objects.update_or_create(
            question=question,
            fingerprint=fingerprint(draft_of(question), problem),
            defaults={"rule": problem.rule, "reason": reason.strip(), "by_id": by.pk, "at": now},
        )
        note(question, DeskAct.WAIVED, by, now, f"{problem.rule}: {reason.strip()}")
    return waiver


def recheck_after(question_ids: Iterable[int], day: dt.date | None) -> int:
    """Set or clear these questions' re-check day; returns how many changed. It isn't part of the text."""
    return Question.objects.filter(pk__in=list(question_ids)).exclude(recheck_after=day).update(recheck_after=day)


def locked(question_id: int, base: int | None = None) -> Question:
    """The question, locked with its family. Raises Older if it isn't in the state ``base``."""
    # The family first: otherwise two people working on siblings could each hold one question and wait for the other.
    list(Family.objects.select_for_update().filter(pk__in=Question.objects.filter(pk=question_id).values("family")))
    question = Question.objects.select_for_update(of=("self",)).select_related("exam", "domain").get(pk=question_id)
    if base is not None and question.revision != base:
        raise Older(question, draft_of(question))
    return question


def _need(question: Question, *states: Desk) -> None:
    if question.desk not in states:
        raise NotNow("other-state", state=question.get_desk_display())


def unit_of(question: Question) -> list[Question]:
    """The question with its siblings, freshly read; they share the desk. Call with the question locked."""
    if question.family_id is None or question.retired_at:
        return [question]
    rows = Question.objects.select_for_update(of=("self",)).select_related("exam", "live_version")
    siblings = with_draft(rows.filter(family=question.family_id, retired_at=None).exclude(pk=question.pk))
    return [question, *siblings.order_by("place", "pk")]


def move(unit: Sequence[Question], desk: Desk, revision: int | None = None, at: dt.datetime | None = None) -> None:
    """Move the unit to a desk state, and to a revision if given."""
    for each in unit:
        each.desk = desk
        each.revision = each.revision if revision is None else revision
        each.changed_at = at or each.changed_at
        each.save(update_fields=["desk", "revision", "changed_at"])


def drop_if_empty(family: Family | None) -> None:
    """Delete a family without questions, unless a version was published in it."""
    if family:
        Family.objects.filter(pk=family.pk, questions=None, versions=None).delete()


def put_on_desk(
    question: Question, drafts: Sequence[tuple[Question, DraftQuestion]], by: AbstractBaseUser, now: dt.datetime
) -> None:
    """Store drafts for ``question``'s unit; the whole unit is then a draft at the next revision."""
    unit, was = unit_of(question), question.desk
    for each, draft in drafts:
        save_draft(each.exam, draft, each)
        each.authors.add(by.pk)
    written = {each.pk: each for each, _ in drafts}
    move([written.get(each.pk, each) for each in unit], Desk.DRAFT, question.revision + 1, now)
    if was == Desk.NOTHING:
        _note_all(unit, DeskAct.BEGUN, by, now)
    elif was == Desk.REVIEW:
        _note_all(unit, DeskAct.TAKEN_BACK, by, now)


def _refuse_family(drafts: Sequence[DraftQuestion]) -> None:
    """Raises NotPublishable if lint refuses these questions as a family."""
    for draft, problem in lint_families(drafts):
        if problem.severity == REFUSE:
            raise NotPublishable(draft.key, [problem])


def _refuse_less(question: Question) -> None:
    """A full question stays full: mocks and figures depend on it. Raises NotNow."""
    if question.versions.filter(is_basic=False).exists():
        raise NotNow("was-full")


def _same(stored: DraftQuestion, draft: DraftQuestion) -> bool:
    return stored.options == draft.options and canonical(stored) == canonical(draft)


def _draft_published(version: QuestionVersion) -> DraftQuestion:
    parts = ("version__question", "version__hint", "version__domain", "version__family")
    return draft_of_version(Solution.objects.select_related(*parts).get(version=version))


def _differs(question: Question, draft: DraftQuestion) -> bool:
    live = question.live_version
    return live is None or bool(changes(canonical(_draft_published(live)), canonical(draft)))


def _change_of_sibling(question: Question, draft: DraftQuestion, stated: Change) -> Change:
    """The kind of change for a sibling, given the one stated for the named question.

    If its prompt is unchanged word for word, as when a variant joins, its statistics continue.
    """
    live = question.live_version
    if live is None:
        return Change.FIRST
    published = _draft_published(live)
    if key_mask(published) != key_mask(draft):
        return Change.KEY
    return Change.TYPO if stated == Change.TYPO or published.prompt == draft.prompt else Change.SEMANTIC


def _refuse_wrong_change(question: Question, draft: DraftQuestion, change: Change) -> None:
    """A first version can't be a change, and a changed key isn't just wording."""
    live = question.live_version
    if (live is None) != (change == Change.FIRST):
        raise NotNow("first-version")
    if live is None:
        return
    was = Solution.objects.values_list("key_mask", flat=True).get(version=live)
    mask = key_mask(draft)
    if (was != mask) != (change == Change.KEY):
        raise NotNow("key-changed" if was != mask else "key-unchanged")


def _live(
    question_id: int, by: AbstractBaseUser | None, now: dt.datetime, act: DeskAct, text: str, must: dict, to: dict
) -> None:
    with transaction.atomic():
        # Compare-and-set, without the family's lock: withdrawing is the safe direction and waits for nobody.
        rows = Question.objects.filter(pk=question_id, live_version__isnull=False, retired_at=None, **must)
        if not rows.update(**to):
            raise NotNow("overtaken")
        note(Question.objects.get(pk=question_id), act, by, now, text)


def free_key(exam: Exam, title: str) -> str:
    """A permanent name from a title. Call with the exam locked."""
    stem = slugify(title)[:KEY_LENGTH].strip("-") or "question"
    taken = set(Question.objects.filter(exam=exam, key__startswith=stem).values_list("key", flat=True))
    return next(name for n in range(1, len(taken) + 2) if (name := stem if n == 1 else f"{stem}-{n}") not in taken)


def _note_all(unit: Sequence[Question], act: DeskAct, by: AbstractBaseUser, now: dt.datetime, text: str = "") -> None:
    for each in unit:
        note(each, act, by, now, text)


def note(
    question: Question,
    act: DeskAct,
    by: AbstractBaseUser | None,
    now: dt.datetime,
    text: str = "",
    version: QuestionVersion | None = None,
) -> None:
    """Add a line to the question's history."""
    DeskEntry.objects.create(
        question=question, act=act, text=text.strip(), version=version, by_id=by.pk if by else None, at=now
    )
