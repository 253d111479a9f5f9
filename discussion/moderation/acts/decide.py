"""Moderators' decisions: each action has one log entry, from which it can be reversed later."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q, QuerySet

from discussion.comments.errors import AlreadyDecided, MovedOn, NotAModerator, NotThere, Refused, Unseen
from discussion.comments.models.authors import Notice
from discussion.comments.models.comments import Comment, State, ThreadState, waiting_of
from discussion.comments.models.moderation import Act, Claim, CommentReport, LogEntry, Reason, Suspension
from discussion.comments.recount import lock
from discussion.mail.settle import UNDO_TIME
from discussion.moderation.acts.snapshots import (
    is_as_left,
    keep_state,
    moment,
    put_back,
    set_text,
    snapshot,
    snapshot_of_text,
    still_there,
)
from discussion.screening.rules.parts import FIRST_POST
from discussion.trust.reads import is_moderator

OUTCOMES = {Act.APPROVE: State.VISIBLE, Act.REJECT: State.REMOVED, Act.SPAM: State.SPAM}
TOLD = {Act.REJECT, Act.EDIT_OUT, Act.SUSPEND}
"""Actions that send the author a notice, as does the approval of a waiting comment.

Not spam: its sender would learn from it.
"""


@dataclass(frozen=True)
class Why:
    """Why a moderator acts: a code, and their own words for the author and the log."""

    reason: str = ""
    words: str = ""


def decide(
    comment: Comment,
    decision: Act,
    by: AbstractBaseUser,
    now: dt.datetime,
    reason: str = "",
    words: str = "",
    *,
    stamp: str | None = None,
) -> LogEntry:
    """Approve, reject or mark as spam a waiting comment; this closes its open reports.

    ``stamp`` is the comment's as the moderator saw it; None if no page was read. Approving releases the author's other
    comments held only for being among the first. Raises AlreadyDecided if somebody was first, NotAModerator, NotThere,
    and Refused for a rejection without a reason and for the moderator's own comments.
    """
    _refuse_others(by, now)
    if decision not in OUTCOMES:
        raise Refused("act")
    if decision == Act.REJECT:
        _refuse_unexplained(reason, words)
    with transaction.atomic():
        others = _held_as_first(comment) if decision == Act.APPROVE else []
        # All locked at once, in order of id, so that two moderators approving the same author never deadlock.
        rows = lock([comment.pk, *others])
        row = _judged(rows.get(comment.pk), by)
        # Compared under the lock, which makes it a compare-and-set.
        _refuse_unseen(row, stamp, by)
        _refuse_decided(row, decision, by)
        before = snapshot(row)
        closed = _close_reports(row, now, upheld=decision != Act.APPROVE)
        _set_state(row, OUTCOMES[decision], reason, by, now)
        released = _release(row, [rows[pk] for pk in others if pk in rows], by, now)
        after = snapshot(row) | {"reports": closed, "released": [each["comment"] for each in released]}
        Claim.objects.filter(comment__in=[row.pk, *after["released"]]).delete()
        return _log(decision, by, now, Why(reason, words), before | {"others": released}, after, comment=row)


def edit_out(
    comment: Comment,
    text: str,
    by: AbstractBaseUser,
    now: dt.datetime,
    reason: str = "",
    words: str = "",
    *,
    stamp: str | None = None,
) -> LogEntry:
    """Replace the text by one without the violation, and make it visible. Raises DiscussionError.

    ``stamp`` as in ``decide``.
    """
    _refuse_others(by, now)
    _refuse_unexplained(reason, words)
    with transaction.atomic():
        row = _judged(lock([comment.pk]).get(comment.pk), by)
        _refuse_unseen(row, stamp, by)
        if row.state not in {State.VISIBLE, State.HELD} or row.deleted_at:
            raise AlreadyDecided(row, by)
        if text == row.text:
            raise Refused("unchanged")
        before = snapshot(row) | snapshot_of_text(row)
        set_text(row, text, [])
        closed = _close_reports(row, now, upheld=True)
        _set_state(row, State.VISIBLE, reason, by, now)
        Claim.objects.filter(comment=row).delete()
        after = snapshot(row) | {"text": text, "reports": closed}
        return _log(Act.EDIT_OUT, by, now, Why(reason, words), before, after, comment=row)


def lock_thread(question_id: int, by: AbstractBaseUser, now: dt.datetime, words: str) -> LogEntry:
    """Close a question's discussion; ``words`` are shown where people would write. Raises DiscussionError."""
    return _set_lock(question_id, by, now, words, on=True)


def unlock_thread(question_id: int, by: AbstractBaseUser, now: dt.datetime, words: str = "") -> LogEntry:
    """Reopen a discussion. Raises DiscussionError."""
    return _set_lock(question_id, by, now, words, on=False)


def slow_thread(question_id: int, minutes: int, by: AbstractBaseUser, now: dt.datetime) -> LogEntry:
    """Let each person write under a question once in this many minutes; 0 ends slow mode. Raises DiscussionError."""
    _refuse_others(by, now)
    with transaction.atomic():
        thread = _thread(question_id)
        if thread.slow_minutes == minutes:
            raise Refused("same-pace")
        before, thread.slow_minutes = {"slow": thread.slow_minutes}, minutes
        thread.save()
        return _log(Act.SLOW, by, now, Why(), before, {"slow": minutes}, question_id=question_id)


def suspend(user_id: int, until: dt.datetime, by: AbstractBaseUser, now: dt.datetime, words: str) -> LogEntry:
    """Suspend a person until then, and tell them why. Raises DiscussionError."""
    _refuse_others(by, now)
    if until <= now:
        raise Refused("past")
    if not words.strip():
        raise Refused("no-reason")
    if user_id == by.pk:
        raise Refused("yourself")
    with transaction.atomic():
        made = Suspension.objects.create(user_id=user_id, until=until, by_id=by.pk, reason=words, made_at=now)
        after = {"suspension": made.pk, "until": until.isoformat()}
        return _log(Act.SUSPEND, by, now, Why(words=words), {}, after, subject_id=user_id)


def reverse(entry: LogEntry, by: AbstractBaseUser, now: dt.datetime, words: str = "") -> LogEntry:
    """Restore everything an action changed, if nothing was done since. The action stays in the log.

    Raises MovedOn, and Refused for a reversal or an action that concerns the moderator.
    """
    _refuse_others(by, now)
    if entry.act == Act.REVERSE:
        raise Refused("reversal")
    _refuse_own(entry.subject_id, by)
    with transaction.atomic():
        # The entry is locked first, as for an appeal: if two people reverse it, one finds it done, and no appeal can
        # begin during a reversal.
        kept = LogEntry.objects.select_for_update().get(pk=entry.pk)
        if LogEntry.objects.filter(reverses=kept).exists():
            raise MovedOn
        if kept.comment_id:
            _put_back(kept, now)
        elif kept.question_id:
            _put_thread_back(kept)
        else:
            Suspension.objects.filter(pk=kept.after["suspension"]).update(lifted_at=now)
        # People not yet told of the action needn't be told of its reversal.
        Notice.objects.filter(entry=kept, sent_at=None, read_at=None).delete()
        made = LogEntry.objects.create(
            act=Act.REVERSE,
            by_id=by.pk,
            comment_id=kept.comment_id,
            question_id=kept.question_id,
            subject_id=kept.subject_id,
            words=words,
            before=kept.after,
            after=kept.before,
            at=now,
            reverses=kept,
        )
        if Notice.objects.filter(entry=kept).exists():
            _leave_notice(made, now)
    return made


def _refuse_others(by: AbstractBaseUser, now: dt.datetime) -> None:
    if not is_moderator(by, now):
        raise NotAModerator


def _refuse_own(author_id: int | None, by: AbstractBaseUser) -> None:
    if author_id == by.pk:
        raise Refused("own")


def _refuse_unexplained(reason: str, words: str) -> None:
    if reason not in Reason.values:
        raise Refused("reason")
    if reason == Reason.OTHER and not words.strip():
        raise Refused("words")


def _there(row: Comment | None) -> Comment:
    """The comment, if there is a text to decide on: its own, or the one kept when its author deleted it."""
    if row is None or (row.deleted_at and not row.kept_texts.filter(is_deleted=True).exclude(text="").exists()):
        raise NotThere
    return row


def _judged(row: Comment | None, by: AbstractBaseUser) -> Comment:
    """The locked comment, if it exists and is somebody else's."""
    found = _there(row)
    _refuse_own(found.author_id, by)
    return found


def _refuse_unseen(row: Comment, stamp: str | None, by: AbstractBaseUser) -> None:
    """Compare-and-set: anything decided since must be seen before it is overruled.

    Timestamps wouldn't do: an earlier decision may be committed after the next moderator's page was made.
    """
    if stamp is None or stamp == row.stamp:
        return
    raise AlreadyDecided(row, by) if row.state_by_id else Unseen


def _refuse_decided(row: Comment, decision: Act, by: AbstractBaseUser) -> None:
    """A removed comment is already decided; a visible one can only be approved if it is reported."""
    if row.state == State.HELD and not row.deleted_at:
        return
    is_reported = CommentReport.objects.filter(comment=row, closed_at=None).exists()
    if row.deleted_at and not is_reported:
        raise NotThere
    if row.state == State.HELD:
        return
    if row.state != State.VISIBLE or (decision == Act.APPROVE and not is_reported):
        raise AlreadyDecided(row, by)


def _held_as_first(comment: Comment) -> list[int]:
    """The author's other screened comments, held only for being among the first."""
    if comment.author_id is None:
        return []
    held = Comment.objects.filter(waiting_of(comment.author_id)).exclude(pk=comment.pk)
    other_reason = Q(hits__rule__isnull=False) & ~Q(hits__rule=FIRST_POST)
    alone = held.filter(hits__rule=FIRST_POST).exclude(pk__in=held.filter(other_reason).values("pk"))
    return list(alone.filter(screened_at__isnull=False).distinct().values_list("pk", flat=True))


def _release(approved: Comment, locked: list[Comment], by: AbstractBaseUser, now: dt.datetime) -> list[dict[str, Any]]:
    """Release those still waiting only for that reason; returns each one's previous state."""
    # Checked again: another reason to hold one may have come up before the lock.
    still = set(_held_as_first(approved)) if locked else set()
    released = sorted((row for row in locked if row.pk in still), key=lambda row: row.pk)
    before = [{"comment": row.pk, **snapshot(row)} for row in released]
    for row in released:
        _set_state(row, State.VISIBLE, "", by, now)
    return before


def _set_state(row: Comment, state: str, reason: str, by: AbstractBaseUser, now: dt.datetime) -> None:
    """Set a locked comment's state, and everything that follows from it."""
    row.state, row.state_reason, row.state_by_id, row.state_at = state, reason, by.pk, now
    if state == State.VISIBLE and row.screened_at is None:
        row.screened_at = now  # a moderator has seen it
    keep_state(row, now)


def _close_reports(row: Comment, now: dt.datetime, *, upheld: bool) -> list[int]:
    """Close the open reports: ``upheld`` says whether the comment broke a rule, and counts in the reporters'
    records."""
    waiting = CommentReport.objects.filter(comment=row, closed_at=None)
    closed = list(waiting.order_by("pk").values_list("pk", flat=True))
    if closed:
        waiting.filter(pk__in=closed).update(closed_at=now, upheld=upheld)
    return closed


def _set_lock(question_id: int, by: AbstractBaseUser, now: dt.datetime, words: str, *, on: bool) -> LogEntry:
    _refuse_others(by, now)
    with transaction.atomic():
        thread = _thread(question_id)
        if bool(thread.locked_at) == on:
            raise Refused("already-closed" if on else "already-open")
        before = _lock_of(thread)
        thread.locked_at, thread.locked_by_id = (now, by.pk) if on else (None, None)
        thread.reason = words[:200] if on else ""
        thread.save()
        act = Act.LOCK if on else Act.UNLOCK
        return _log(act, by, now, Why(words=words), before, _lock_of(thread), question_id=question_id)


def _thread(question_id: int) -> ThreadState:
    """A thread's settings, locked."""
    # Created first, so that there is a row to lock.
    ThreadState.objects.get_or_create(question_id=question_id)
    return ThreadState.objects.select_for_update().get(question=question_id)


def _lock_of(thread: ThreadState) -> dict[str, Any]:
    since = thread.locked_at.isoformat() if thread.locked_at else None
    return {"locked": bool(since), "reason": thread.reason, "since": since, "closed_by": thread.locked_by_id}


def _put_thread_back(entry: LogEntry) -> None:
    # Locked before the log is read: an earlier action on the same thread is then in it, and stops this one.
    thread = ThreadState.objects.select_for_update().get(question=entry.question_id)
    # Slow mode and closing are independent of each other.
    alike = (Act.SLOW,) if entry.act == Act.SLOW else (Act.LOCK, Act.UNLOCK)
    _refuse_overtaken(entry, LogEntry.objects.filter(question=entry.question_id, act__in=alike))
    if entry.act == Act.SLOW:
        thread.slow_minutes = entry.before["slow"]
        thread.save()
        return
    thread.locked_at, thread.reason = moment(entry.before["since"]), entry.before["reason"]
    thread.locked_by_id = still_there(entry.before["closed_by"])
    thread.save()


def _put_back(entry: LogEntry, now: dt.datetime) -> None:
    """Restore the comment, its open reports, and those released with it that haven't changed since."""
    others = {each["comment"]: each for each in entry.before.get("others", [])}
    rows = lock([entry.comment_id, *others])  # type: ignore[list-item]
    row = _there(rows.get(entry.comment_id))  # type: ignore[arg-type]
    _refuse_overtaken(entry, LogEntry.objects.filter(comment=row))
    if not is_as_left(row, entry.after):
        raise MovedOn
    CommentReport.objects.filter(pk__in=entry.after["reports"]).update(closed_at=None, upheld=None)
    put_back(row, entry.before, entry.after, now)
    for row_id, before in others.items():
        if is_as_left(rows[row_id], entry.after) and not rows[row_id].deleted_at:
            put_back(rows[row_id], before, entry.after, now)


def _refuse_overtaken(entry: LogEntry, about_the_same: QuerySet[LogEntry]) -> None:
    """A later action that still stands must be reversed first."""
    if about_the_same.filter(pk__gt=entry.pk, reverses=None, reversal=None).exists():
        raise MovedOn


def _log(
    act: Act,
    by: AbstractBaseUser,
    now: dt.datetime,
    why: Why,
    before: dict[str, Any],
    after: dict[str, Any],
    **about: Any,
) -> LogEntry:
    """Add the entry, and a notice for the author if this action has one."""
    comment: Comment | None = about.get("comment")
    if comment is not None:
        about["subject_id"] = comment.author_id
    entry = LogEntry.objects.create(
        act=act, by_id=by.pk, reason=why.reason, words=why.words, before=before, after=after, at=now, **about
    )
    # Authors whose comment stayed visible aren't told that it was reported.
    waited = comment is not None and before["state"] == State.HELD and not comment.deleted_at
    if act in TOLD or (act == Act.APPROVE and waited):
        _leave_notice(entry, now)
    return entry


def _leave_notice(entry: LogEntry, now: dt.datetime) -> None:
    if entry.subject_id and entry.subject_id != entry.by_id:
        Notice.objects.create(entry=entry, user_id=entry.subject_id, due_at=now + UNDO_TIME)
