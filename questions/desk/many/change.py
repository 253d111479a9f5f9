"""One change to several questions: proposed by one person, applied by another, to all of them or none."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from questions.desk.decide import locked, move, note, unit_of, withdraw
from questions.desk.many.reads import ChangedQuestion, goes_live, preview, questions_for
from questions.desk.many.rules import MOST_AT_ONCE, Recipe, Replacement, recipe_of, stored
from questions.desk.models import BulkChange, ChangeState, DeskAct
from questions.desk.publish import Publishing, publish_draft
from questions.versions.errors import NotNow
from questions.versions.models.drafts import Desk, Question
from questions.versions.models.versions import Change
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import save_draft


@dataclass(frozen=True)
class Proposal:
    """What changes, what kind of change it is for readers, and why."""

    recipe: Recipe
    change: Change
    why: str


def propose(
    proposal: Proposal, question_ids: Sequence[int], seen: str, by: AbstractBaseUser, now: dt.datetime
) -> BulkChange:
    """Propose a change; the questions don't change yet. ``seen`` identifies the diff its author saw. Raises NotNow."""
    if not proposal.why.strip():
        raise NotNow("no-reason-to-change")
    with transaction.atomic():
        found = preview(questions_for(proposal.recipe, question_ids), proposal.recipe)
        if not found.lines:
            raise NotNow("nothing-changes")
        if len(found.lines) > MOST_AT_ONCE:
            raise NotNow("too-many-at-once", limit=MOST_AT_ONCE)
        if found.is_refused:
            raise NotNow("checks-refuse")
        if found.seen != seen:
            raise NotNow("changed-meanwhile")
        change = BulkChange.objects.create(
            recipe=stored(proposal.recipe),
            # Facts aren't part of the prompt, so measurements continue.
            change=proposal.change if isinstance(proposal.recipe, Replacement) else Change.TYPO,
            why=proposal.why.strip(),
            made_by_id=by.pk,
            made_at=now,
        )
        change.questions.set([line.question for line in found.lines])
    return change


def apply(change_id: int, seen: str, by: AbstractBaseUser, now: dt.datetime, said: str = "") -> BulkChange:
    """Change all of the questions or none: live questions get a new version, drafts on the desk stay drafts.

    Nobody applies what they proposed, unless PUBLISH_OWN_QUESTIONS is on. Raises NotNow, also if the diff that was
    ``seen`` is no longer what would happen.
    """
    with transaction.atomic():
        change = _waiting(change_id)
        if change.made_by_id == by.pk and not settings.PUBLISH_OWN_QUESTIONS:
            raise NotNow("own-change")
        ids = sorted(change.questions.values_list("pk", flat=True))
        # Locks each family before its questions, all in one order, so that two concurrent applications never deadlock.
        for pk in ids:
            unit_of(locked(pk))
        recipe = recipe_of(change.recipe)
        found = preview(questions_for(recipe, ids), recipe)
        if found.seen != seen:
            raise NotNow("changed-meanwhile")
        if found.is_refused:
            raise NotNow("checks-refuse")
        done: set[int] = set()
        for line in found.lines:
            if line.withdraws:
                note(line.question, DeskAct.CHANGED, change.made_by, now, change.why)
                withdraw(line.question.pk, by, now, change.why)
            elif line.question.pk not in done:
                done |= _apply_to_unit(line.question.pk, found.lines, change, by, now)
        _decide(change, ChangeState.APPLIED, by, now, said)
    return change


def decline(change_id: int, by: AbstractBaseUser, now: dt.datetime, said: str) -> BulkChange:
    """Reject the change with a reason; its author can cancel it without one. Raises NotNow."""
    with transaction.atomic():
        change = _waiting(change_id)
        is_own = change.made_by_id == by.pk
        if not is_own and not said.strip():
            raise NotNow("no-reason-to-decline")
        _decide(change, ChangeState.WITHDRAWN if is_own else ChangeState.DECLINED, by, now, said)
    return change


def _waiting(change_id: int) -> BulkChange:
    # If one reviewer applies a change while another declines it, the second finds it decided. Every function here takes
    # this lock before the families'.
    change = BulkChange.objects.select_for_update().get(pk=change_id)
    if change.state != ChangeState.WAITING:
        raise NotNow("change-decided", state=change.get_state_display())
    return change


def _decide(change: BulkChange, state: ChangeState, by: AbstractBaseUser, now: dt.datetime, said: str) -> None:
    change.state, change.decided_by_id, change.decided_at, change.said = state, by.pk, now, said.strip()
    change.save(update_fields=["state", "decided_by", "decided_at", "said"])


def _apply_to_unit(
    question_id: int, lines: Sequence[ChangedQuestion], change: BulkChange, by: AbstractBaseUser, now: dt.datetime
) -> set[int]:
    """Store one unit's changes, keeping its desk state; returns its questions' ids."""
    unit = unit_of(locked(question_id))
    after = {line.question.pk: line.after for line in lines}
    rows = [_write(each, after[each.pk], change, by, now) if each.pk in after else each for each in unit]
    # One revision for the whole unit: people who have one of its questions open find out when they save.
    move(rows, Desk(unit[0].desk), unit[0].revision + 1, now)
    return {each.pk for each in unit}


def _write(
    question: Question, draft: DraftQuestion, change: BulkChange, by: AbstractBaseUser, now: dt.datetime
) -> Question:
    live = goes_live(question)
    is_basic = live and question.live_version is not None and question.live_version.is_basic
    question = save_draft(question.exam, draft, question)
    note(question, DeskAct.CHANGED, change.made_by, now, change.why)
    if live:
        # The history entry is for editors, so the page's changelog gets no note.
        version = publish_draft(question, draft, now, Publishing(Change(change.change), basic=is_basic), by)
        note(question, DeskAct.PUBLISHED, by, now, "", version)
    elif change.made_by_id:
        question.authors.add(change.made_by_id)
    return question
