"""Regrading: a corrected key is applied once to every session with the version, and affected learners are told."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models.functions import Now

from courseiva.common.later import after_commit, one_by_one
from courseiva.common.masks import mask_of
from practice.learners.models import Learner
from practice.measurement.statistics.count import count_session
from practice.readiness.derive.analyse import refresh
from practice.regrade.reads import holding
from practice.sessions.ending.finish import score_of
from practice.sessions.errors import NotPossible
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.scoring.models import Regrade, RegradeNotice, RegradeRule
from practice.sessions.scoring.reads import Key, keys_in_force
from practice.sessions.scoring.rules import needed_to_pass
from practice.sessions.scoring.store import update_items
from questions.versions.models.drafts import Kind
from questions.versions.models.versions import QuestionVersion

logger = logging.getLogger("courseiva.sessions")
# Ids read at a time: a question in many sessions isn't read all at once.
AT_ONCE = 200


@dataclass(frozen=True)
class Correction:
    """What will be right. ``accepted`` are sets of slots: one for a new key, two or more for alternatives."""

    rule: str
    accepted: tuple[tuple[int, ...], ...]
    reason: str


@dataclass(frozen=True)
class Impact:
    """What a correction would change: sessions with the version, scores, and pass marks crossed either way."""

    sessions: int
    scores: int
    pass_lines: int


def regrade(version: QuestionVersion, correction: Correction, by: AbstractBaseUser | None, now: dt.datetime) -> Regrade:
    """Apply a correction and send its task. Raises NotPossible if it doesn't fit the version."""
    masks = checked(version, correction)
    with transaction.atomic():
        made = Regrade.objects.create(
            version=version, rule=correction.rule, masks=masks, reason=correction.reason.strip(),
            made_by_id=by.pk if by else None, made_at=now,
        )  # fmt: skip
        after_commit("practice.run_regrade", made.pk)
    return made


def run(regrade_id: int, now: dt.datetime) -> int:
    """Apply a regrade to every session; returns how many were looked at.

    Each session is its own transaction, in which ``reached`` advances, so that an interrupted run continues where it
    stopped and a repeated one changes nothing. An error is recorded for the regrade's page, and raised.
    """
    try:
        return _run(regrade_id, now)
    except Exception:
        Regrade.objects.filter(pk=regrade_id, done_at=None).update(failed_at=now)
        raise


def _run(regrade_id: int, now: dt.datetime) -> int:
    looked_at = 0
    while True:
        made = Regrade.objects.get(pk=regrade_id)
        waiting = list(holding(made.version_id).filter(pk__gt=made.reached).values_list("pk", flat=True)[:AT_ONCE])
        if not waiting:
            Regrade.objects.filter(pk=regrade_id, done_at=None).update(done_at=now, failed_at=None)
            return looked_at
        for session_id in waiting:
            _bring_up(made, session_id, now)
            looked_at += 1


def resume(regrade_id: int) -> None:
    """Send the task of an unfinished regrade again, which is safe at any time: a second run changes nothing.

    Raises NotPossible if it is done.
    """
    if not Regrade.objects.filter(pk=regrade_id, done_at=None).exists():
        raise NotPossible("regrade-done")
    after_commit("practice.run_regrade", regrade_id)


def run_waiting(now: dt.datetime) -> int:
    """Continue regrades whose task was lost; returns how many sessions were looked at.

    One that fails doesn't keep the others waiting (``one_by_one``). Raises ExceptionGroup.
    """
    waiting = Regrade.objects.filter(done_at=None).order_by("made_at", "pk").values_list("pk", flat=True)
    return one_by_one("regrade", list(waiting), lambda pk: run(pk, now), logger)


def impact_of(version: QuestionVersion, correction: Correction) -> Impact:
    """What a correction would change in finished sessions. Raises NotPossible like ``regrade``."""
    masks = tuple(checked(version, correction))
    key = Key(version.question_id, masks, correction.rule == RegradeRule.FULL_MARKS)
    sessions = scores = pass_lines = 0
    held = SessionItem.objects.filter(session__in=holding(version.pk), version=version, session__score__isnull=False)
    for item in held.select_related("session__blueprint").iterator():
        session = item.session
        after = key.mark(item.selected)
        was, total = session.score or 0, session.total
        score = was - bool(item.is_correct) + bool(after)
        new_total = total - (item.is_correct is not None) + (after is not None)
        sessions += 1
        scores += (score, new_total) != (was, total)
        pass_lines += _passes(session, was, total) != _passes(session, score, new_total)
    return Impact(sessions, scores, pass_lines)


def checked(version: QuestionVersion, correction: Correction) -> list[int]:
    """The accepted answers as masks. Raises NotPossible if the correction doesn't fit the version."""
    known = {option["slot"] for option in version.options}
    least = {RegradeRule.OTHER_KEY: 1, RegradeRule.EITHER: 2, RegradeRule.LEFT_OUT: 0}.get(
        RegradeRule(correction.rule), 0
    )
    most = least if correction.rule != RegradeRule.EITHER else len(correction.accepted)
    if not correction.reason.strip():
        raise NotPossible("no-reason")
    if not least <= len(correction.accepted) <= most:
        raise NotPossible("answers-miscounted")
    if not all(slots and set(slots) <= known for slots in correction.accepted):
        raise NotPossible("unknown-option")
    if version.kind == Kind.SINGLE and any(len(slots) > 1 for slots in correction.accepted):
        raise NotPossible("one-option-only")
    return sorted({mask_of(slots) for slots in correction.accepted})


def _bring_up(made: Regrade, session_id: int, now: dt.datetime) -> None:
    with transaction.atomic():
        # Locks the learner first, then the session, as all code that writes a learner's rows does.
        learner = Learner.objects.select_for_update(of=("self",)).get(sessions=session_id)
        rows = PracticeSession.objects.select_for_update(of=("self",)).select_related("exam")
        session = rows.get(pk=session_id)
        items = list(session.items.filter(version_id=made.version_id))
        changed = [
            (item, item.is_correct) for item in items if _marked(session, item) != (item.is_correct, item.granted)
        ]
        if changed:
            _store(made, session, changed, now)
            if session.finished_at and session.analysed_at:
                refresh(learner, session.exam, now, session.finished_at)
        Regrade.objects.filter(pk=made.pk, reached__lt=session_id).update(
            reached=session_id, moved_at=Now(), failed_at=None
        )


def _marked(session: PracticeSession, item: SessionItem) -> tuple[bool | None, bool]:
    """How the current key marks this item, and whether it marks any answer that way."""
    was_marked = item.checked_at is not None or session.finished_at is not None
    counts = item.selected or session.mode == Mode.MOCK
    if not (was_marked and counts):
        return item.is_correct, item.granted
    key = keys_in_force([item.version_id])[item.version_id]
    return key.mark(item.selected), key.everyone


def _store(
    made: Regrade, session: PracticeSession, changed: Sequence[tuple[SessionItem, bool | None]], now: dt.datetime
) -> None:
    """Store new marks and the score, recount, and write a notice for each item."""
    old_score, old_total = session.score, session.total
    if session.analysed_at:
        count_session(session, sign=-1)
    for item, _ in changed:
        item.is_correct, item.granted = _marked(session, item)
    update_items(session, [item for item, _ in changed], ["is_correct", "granted"])
    if session.finished_at:
        session.score, session.total = score_of(session, list(session.items.all()))
        session.save(update_fields=["score", "total"])
    # Removed while the old marks are still there: the counts must lose exactly what they gained.
    if session.analysed_at:
        count_session(session)
    RegradeNotice.objects.bulk_create(
        [
            RegradeNotice(
                regrade=made, session=session, position=item.position, was_right=was, is_right=item.is_correct,
                old_score=old_score, old_total=old_total, new_score=session.score, new_total=session.total, made_at=now,
            )
            for item, was in changed
            # Right as before, for a different reason: nothing changed for the learner.
            if was != item.is_correct
        ],
        # An interrupted and repeated run tells a learner once.
        ignore_conflicts=True,
    )  # fmt: skip


def _passes(session: PracticeSession, score: int, total: int) -> bool | None:
    blueprint = session.blueprint
    return score >= needed_to_pass(total, blueprint.pass_mark) if blueprint and total else None
