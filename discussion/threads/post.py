from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from math import ceil

from django.contrib.auth import get_user_model
from django.db import transaction

from courseiva.common.later import after_commit
from discussion.comments import limits
from discussion.comments.errors import NotThere, Refused, TooSoon
from discussion.comments.models.comments import READABLE, Comment, Kind, State, ThreadState
from discussion.comments.models.moderation import Act, LogEntry
from discussion.comments.recount import lock, refresh
from discussion.comments.rules import markup
from discussion.comments.rules.likeness import fingerprint
from discussion.comments.rules.references import option_slots, option_words
from discussion.keeping.keep import keep_text
from discussion.mail.follow import follow
from discussion.screening.hold import first_look, keep_findings
from discussion.trust.reads import is_moderator, refuse_locked, refuse_suspended
from questions.versions.models.versions import QuestionVersion

MOST_REPLIES = 100
"""Below the 200 that a conversation's page reads, so nobody's reply is ever stored and not shown."""


@dataclass(frozen=True)
class Draft:
    """What somebody wants to post. ``follow`` subscribes to replies."""

    kind: Kind
    text: str
    follow: bool = False


def post(
    version: QuestionVersion, author_id: int, draft: Draft, now: dt.datetime, parent_id: int | None = None
) -> Comment:
    """Store a comment on a version, held or visible as screening says; stored once even if sent twice.

    Raises DiscussionError: text that can't be shown, a suspended author, a closed discussion, too many in the hour.
    """
    html, slots = rendered(draft.text, version)
    refuse_suspended(author_id, now)
    refuse_locked(version.question_id)
    with transaction.atomic():
        # Locked first: a double click must find its duplicate, and the hourly limit must see every comment.
        _one_at_a_time(author_id)
        if twin := _twin(version.question_id, author_id, draft.text, parent_id):
            return twin
        _refuse_hasty(version.question_id, author_id, now)
        # After the duplicate check: resending doesn't count.
        limits.count("comments", author_id, now)
        found = first_look(draft.text, version.question_id, author_id, now)
        parent = _parent(parent_id, version.question_id)
        comment = Comment.objects.create(
            question_id=version.question_id,
            version=version,
            author_id=author_id,
            kind=Kind.REPLY if parent else draft.kind,
            parent=parent,
            text=draft.text,
            html=html,
            slots=slots,
            state=State.HELD if found else State.VISIBLE,
            state_at=now,
            created_at=now,
            fingerprint=fingerprint(draft.text),
        )
        keep_findings(comment, found)
        refresh(comment)
        if draft.follow:
            follow(parent or comment, author_id, now)
        after_commit("discussion.screen_comment", comment.pk)
    return comment


def edit(comment_id: int, author_id: int, text: str, now: dt.datetime) -> Comment:
    """Change one's comment within 15 minutes; it is screened again. Raises DiscussionError."""
    refuse_suspended(author_id, now)
    # Before anything is locked, so that nobody waits because of something that is refused here.
    limits.count("changes", author_id, now)
    with transaction.atomic():
        comment = own(lock([comment_id]).get(comment_id), author_id)
        refuse_locked(comment.question_id)
        if why_not := why_no_change(comment, now):
            raise why_not
        if text == comment.text:
            return comment
        keep_text(comment, now, is_deleted=False)
        comment.html, comment.slots = rendered(text, comment.version)
        comment.text, comment.fingerprint = text, fingerprint(text)
        comment.edited_at, comment.screened_at = now, None
        found = first_look(text, comment.question_id, author_id, now)
        if comment.state == State.VISIBLE:  # if a moderator holds it, it stays their decision
            # A new text: nobody has approved it yet.
            comment.state_by, comment.state_reason = None, ""
            if found:
                comment.state, comment.state_at = State.HELD, now
        comment.save()
        keep_findings(comment, found)
        refresh(comment)
        after_commit("discussion.screen_comment", comment.pk)
    return comment


def delete(comment_id: int, author_id: int, now: dt.datetime) -> Comment:
    """Delete one's comment with its text; a stub remains if somebody replied. Raises NotThere.

    A reported, held or removed text is kept for staff, and reports on it stay open.
    """
    with transaction.atomic():
        comment = own(lock([comment_id]).get(comment_id), author_id)
        is_kept = keep_text(comment, now, is_deleted=True)
        comment.text = comment.html = ""
        comment.slots, comment.fingerprint, comment.deleted_at = [], "", now
        comment.save(update_fields=["text", "html", "slots", "fingerprint", "deleted_at"])
        if not is_kept:
            comment.hits.all().delete()
        # Deleted at once, even if staff keep the text for a while: a deleted text mustn't cause somebody else's comment
        # to be held as a copy of it.
        comment.shingles.all().delete()
        refresh(comment)
    return comment


def own(comment: Comment | None, author_id: int) -> Comment:
    """The comment, if it exists and is the person's own. Raises NotThere."""
    if comment is None or comment.author_id != author_id or comment.deleted_at:
        raise NotThere
    return comment


def why_no_change(comment: Comment, now: dt.datetime) -> Refused | None:
    """Why the author can't change a comment any more; None if they can."""
    if not comment.may_change(now):
        return Refused("late")
    if LogEntry.objects.filter(comment=comment, act=Act.EDIT_OUT, reversal=None).exists():
        return Refused("edited-out")
    return None


def rendered(text: str, version: QuestionVersion) -> tuple[str, list[int]]:
    """A text's HTML and the options it refers to. Raises Refused."""
    if why_not := markup.refusal(text):
        raise Refused(why_not.code, said=why_not.words)
    options = option_words(version.options_html)
    html = markup.render(text, options)
    return html, [slot for slot in option_slots(text) if slot in options]


def _one_at_a_time(author_id: int) -> None:
    """Wait until no other comment by this person is being posted."""
    get_user_model().objects.select_for_update(no_key=True).only("pk").get(pk=author_id)


def _refuse_hasty(question_id: int, author_id: int, now: dt.datetime) -> None:
    """Raises TooSoon in slow mode if the author, unless a moderator, has just written there."""
    thread = ThreadState.objects.filter(question=question_id, slow_minutes__gt=0).first()
    if thread is None:
        return
    pace = dt.timedelta(minutes=thread.slow_minutes)
    mine = Comment.objects.filter(question=question_id, author=author_id, created_at__gt=now - pace)
    last = mine.order_by("-created_at").values_list("created_at", flat=True).first()
    if last and not is_moderator(get_user_model().objects.get(pk=author_id), now):
        raise TooSoon(ceil((last + pace - now) / dt.timedelta(minutes=1)), thread.slow_minutes)


def _twin(question_id: int, author_id: int, text: str, parent_id: int | None) -> Comment | None:
    """The same words by the same person in the same place. Raises Refused if a moderator has removed them."""
    rows = Comment.objects.filter(question=question_id, author=author_id, parent=parent_id, deleted_at=None)
    same = {row.state: row for row in rows.filter(fingerprint=fingerprint(text), text=text)}
    twin = same.get(State.VISIBLE) or same.get(State.HELD)
    if same and not twin:
        raise Refused("removed")
    return twin


def _parent(parent_id: int | None, question_id: int) -> Comment | None:
    """The comment a reply answers, locked. Raises Refused."""
    if parent_id is None:
        return None
    parent = lock([parent_id]).get(parent_id)
    if parent is None or parent.question_id != question_id or parent.parent_id or not parent.is_readable:
        raise Refused("gone", is_reply=True)
    if Comment.objects.filter(READABLE, parent=parent).count() >= MOST_REPLIES:
        raise Refused("full")
    return parent
