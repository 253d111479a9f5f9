"""What moderators decide: one act, one entry in the log, and any act can be reversed later from its entry."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import Q

from discussion import screening
from discussion.errors import AlreadyDecided, MovedOn, NotAModerator, NotThere, Refused
from discussion.likeness import fingerprint
from discussion.models import (
    Act,
    Claim,
    Comment,
    CommentReport,
    LogEntry,
    Notice,
    Reason,
    State,
    Suspension,
    ThreadState,
)
from discussion.posting import rendered
from discussion.selectors.people import is_moderator
from discussion.settling import UNDO_TIME, settle
from discussion.standing import lock, refresh

OUTCOMES = {Act.APPROVE: State.VISIBLE, Act.REJECT: State.REMOVED, Act.SPAM: State.SPAM}
TOLD = {Act.REJECT, Act.EDIT_OUT, Act.SUSPEND}
"""Acts whose author gets a message. Spam gets none: whoever sends it would learn from it."""


@dataclass(frozen=True)
class Why:
    """Why a moderator acts: a code, and words of their own for the author and the log."""

    reason: str = ""
    words: str = ""


def decide(
    comment: Comment, decision: Act, by: AbstractBaseUser, now: dt.datetime, reason: str = "", words: str = ""
) -> LogEntry:
    """Approve, reject or mark as spam what waits; open reports on it are closed by that.

    Approving releases the author's other comments that are held for being first ones alone.
    Raises AlreadyDecided where somebody was first, NotAModerator, NotThere, and Refused for a rejection without reason.
    """
    _refuse_others(by)
    if decision not in OUTCOMES:
        raise Refused("A comment can be approved, rejected or marked as spam.")
    if decision == Act.REJECT and reason not in Reason.values:
        raise Refused("Choose the reason its author is told.")
    with transaction.atomic():
        rows = lock([comment.pk, *(_held_as_first(comment) if decision == Act.APPROVE else [])])
        row = _there(rows.get(comment.pk))
        _refuse_decided(row, decision)
        before = _snapshot(row)
        closed = _close_reports(row, now)
        _set_state(row, OUTCOMES[decision], reason, by, now)
        released = _release(rows, row, by, now) if decision == Act.APPROVE else []
        after = _snapshot(row) | {"reports": closed, "released": released}
        Claim.objects.filter(comment=row).delete()
        return _log(decision, by, now, Why(reason, words), before, after, comment=row)


def edit_out(
    comment: Comment, text: str, by: AbstractBaseUser, now: dt.datetime, reason: str = "", words: str = ""
) -> LogEntry:
    """Replace the text by one without what breaks a rule, and let everybody read it. Raises DiscussionError."""
    _refuse_others(by)
    if reason not in Reason.values:
        raise Refused("Choose the reason its author is told.")
    with transaction.atomic():
        row = _there(lock([comment.pk]).get(comment.pk))
        if row.state not in {State.VISIBLE, State.HELD}:
            raise AlreadyDecided(row)
        if text == row.text:
            raise Refused("Nothing is changed. Approve it, or take something out.")
        before = _snapshot(row) | {"text": row.text}
        _set_text(row, text)
        closed = _close_reports(row, now)
        _set_state(row, State.VISIBLE, reason, by, now)
        Claim.objects.filter(comment=row).delete()
        after = _snapshot(row) | {"text": text, "reports": closed}
        return _log(Act.EDIT_OUT, by, now, Why(reason, words), before, after, comment=row)


def lock_thread(question_id: int, by: AbstractBaseUser, now: dt.datetime, words: str) -> LogEntry:
    """Let nobody write under a question any more; ``words`` stand where people would write. Raises DiscussionError."""
    return _set_lock(question_id, by, now, words, on=True)


def unlock_thread(question_id: int, by: AbstractBaseUser, now: dt.datetime, words: str = "") -> LogEntry:
    """Open a thread again. Raises DiscussionError."""
    return _set_lock(question_id, by, now, words, on=False)


def suspend(user_id: int, until: dt.datetime, by: AbstractBaseUser, now: dt.datetime, words: str) -> LogEntry:
    """Let a person write nothing until then, and tell them why. Raises DiscussionError."""
    _refuse_others(by)
    if until <= now:
        raise Refused("Choose a day that is still to come.")
    if not words.strip():
        raise Refused("Say why; the person reads it.")
    if user_id == by.pk:
        raise Refused("You cannot suspend yourself.")
    with transaction.atomic():
        made = Suspension.objects.create(user_id=user_id, until=until, by_id=by.pk, reason=words, made_at=now)
        after = {"suspension": made.pk, "until": until.isoformat()}
        return _log(Act.SUSPEND, by, now, Why(words=words), {}, after, subject_id=user_id)


def reverse(entry: LogEntry, by: AbstractBaseUser, now: dt.datetime, words: str = "") -> LogEntry:
    """Put back what an act changed, as far as nothing was done since. The act stays in the log. Raises MovedOn."""
    _refuse_others(by)
    if entry.act == Act.REVERSE:
        raise Refused("A reversal is not reversed; decide anew.")
    with transaction.atomic():
        kept = LogEntry.objects.select_for_update().get(pk=entry.pk)
        if LogEntry.objects.filter(reverses=kept).exists():
            raise MovedOn
        if kept.comment_id:
            _put_back(kept, by, now)
        elif kept.question_id:
            _put_lock_back(kept)
        else:
            Suspension.objects.filter(pk=kept.after["suspension"]).update(lifted_at=now)
        untold = Notice.objects.filter(entry=kept, sent_at=None).delete()[0]
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
        if kept.act in TOLD and not untold:
            _leave_notice(made, now)
    return made


def _refuse_others(by: AbstractBaseUser) -> None:
    if not is_moderator(by):
        raise NotAModerator


def _there(row: Comment | None) -> Comment:
    if row is None or row.deleted_at:
        raise NotThere
    return row


def _refuse_decided(row: Comment, decision: Act) -> None:
    """What is removed is decided; what everybody reads waits for an approval only where it is reported."""
    if row.state == State.HELD:
        return
    is_reported = CommentReport.objects.filter(comment=row, closed_at=None).exists()
    if row.state != State.VISIBLE or (decision == Act.APPROVE and not is_reported):
        raise AlreadyDecided(row)


def _held_as_first(comment: Comment) -> list[int]:
    """The author's other comments that are held for nothing but being among the first."""
    if comment.author_id is None:
        return []
    held = Comment.objects.filter(author=comment.author_id, state=State.HELD, deleted_at=None).exclude(pk=comment.pk)
    other_reason = Q(hits__rule__isnull=False) & ~Q(hits__rule=screening.FIRST_POST)
    alone = held.filter(hits__rule=screening.FIRST_POST).exclude(pk__in=held.filter(other_reason).values("pk"))
    return list(alone.distinct().values_list("pk", flat=True))


def _release(rows: dict[int, Comment], approved: Comment, by: AbstractBaseUser, now: dt.datetime) -> list[int]:
    """Let the others be read that were locked for it and still wait for that reason alone."""
    still = set(_held_as_first(approved)) if approved.author_id else set()
    released = sorted(still & set(rows))
    for row_id in released:
        _set_state(rows[row_id], State.VISIBLE, "", by, now)
    Claim.objects.filter(comment__in=released).delete()
    return released


def _snapshot(row: Comment) -> dict[str, Any]:
    return {"state": str(row.state), "state_reason": row.state_reason}


def _set_state(row: Comment, state: str, reason: str, by: AbstractBaseUser, now: dt.datetime) -> None:
    """Set the state of a locked comment, and whatever follows from it."""
    row.state, row.state_reason, row.state_by_id, row.state_at = state, reason, by.pk, now
    if state == State.VISIBLE and row.screened_at is None:
        row.screened_at = now  # a moderator has looked at it
    row.save(update_fields=["state", "state_reason", "state_by", "state_at", "screened_at"])
    refresh(row)
    settle(row, now)


def _set_text(row: Comment, text: str) -> None:
    """Replace the text of a locked comment; what the rules found in the old one is gone with it."""
    row.html, row.slots = rendered(text, row.version)
    row.text, row.fingerprint = text, fingerprint(text)
    row.save(update_fields=["text", "html", "slots", "fingerprint"])
    row.hits.all().delete()


def _close_reports(row: Comment, now: dt.datetime) -> list[int]:
    waiting = CommentReport.objects.filter(comment=row, closed_at=None)
    closed = list(waiting.order_by("pk").values_list("pk", flat=True))
    waiting.filter(pk__in=closed).update(closed_at=now)
    return closed


def _set_lock(question_id: int, by: AbstractBaseUser, now: dt.datetime, words: str, *, on: bool) -> LogEntry:
    _refuse_others(by)
    with transaction.atomic():
        ThreadState.objects.get_or_create(question_id=question_id)
        thread = ThreadState.objects.select_for_update().get(question=question_id)
        if bool(thread.locked_at) == on:
            raise Refused("This thread is closed already." if on else "This thread is open already.")
        before = {"locked": bool(thread.locked_at), "reason": thread.reason}
        thread.locked_at, thread.locked_by_id = (now, by.pk) if on else (None, None)
        thread.reason = words[:200] if on else ""
        thread.save()
        after = {"locked": on, "reason": thread.reason}
        act = Act.LOCK if on else Act.UNLOCK
        return _log(act, by, now, Why(words=words), before, after, question_id=question_id)


def _put_lock_back(entry: LogEntry) -> None:
    thread = ThreadState.objects.select_for_update().get(question=entry.question_id)
    if bool(thread.locked_at) != entry.after["locked"]:
        raise MovedOn
    thread.locked_at = entry.at if entry.before["locked"] else None
    thread.locked_by_id = entry.by_id if entry.before["locked"] else None
    thread.reason = entry.before["reason"]
    thread.save()


def _put_back(entry: LogEntry, by: AbstractBaseUser, now: dt.datetime) -> None:
    """Give the comment its state and text of before, hold again what was released with it, open its reports again."""
    released = entry.after.get("released", [])
    rows = lock([entry.comment_id, *released])  # type: ignore[list-item]
    row = _there(rows.get(entry.comment_id))  # type: ignore[arg-type]
    if _snapshot(row)["state"] != entry.after["state"] or row.text != entry.after.get("text", row.text):
        raise MovedOn
    if "text" in entry.before:
        _set_text(row, entry.before["text"])
    CommentReport.objects.filter(pk__in=entry.after.get("reports", [])).update(closed_at=None)
    _set_state(row, entry.before["state"], entry.before["state_reason"], by, now)
    for row_id in released:
        if rows[row_id].state == State.VISIBLE and not rows[row_id].deleted_at:
            _set_state(rows[row_id], State.HELD, "", by, now)


def _log(
    act: Act,
    by: AbstractBaseUser,
    now: dt.datetime,
    why: Why,
    before: dict[str, Any],
    after: dict[str, Any],
    **about: Any,
) -> LogEntry:
    """Add the entry; leave a message for the author where this act has one."""
    comment: Comment | None = about.get("comment")
    if comment is not None:
        about["subject_id"] = comment.author_id
    entry = LogEntry.objects.create(
        act=act, by_id=by.pk, reason=why.reason, words=why.words, before=before, after=after, at=now, **about
    )
    if act in TOLD:
        _leave_notice(entry, now)
    return entry


def _leave_notice(entry: LogEntry, now: dt.datetime) -> None:
    if entry.subject_id and entry.subject_id != entry.by_id:
        Notice.objects.create(entry=entry, user_id=entry.subject_id, due_at=now + UNDO_TIME)
