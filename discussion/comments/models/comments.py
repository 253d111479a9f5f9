"""Comments under a question, screening's findings, helpful votes, and subscriptions to replies."""

from __future__ import annotations

import datetime as dt
import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from questions.reports.models import ContentReport
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion

MAX_TEXT = 4000
"""An answer with a code sample, not an essay. It also bounds what rendering a stranger's Markdown may cost
(rules/markup.py)."""


class Kind(models.TextChoices):
    """The kind of comment; the first three start a conversation."""

    TIP = "tip", "tip"
    QUESTION = "question", "question"
    CORRECTION = "correction", "correction"
    REPLY = "reply", "reply"


class State(models.TextChoices):
    """Who can read it: everybody, its author and moderators, or only moderators."""

    VISIBLE = "visible", "visible"
    HELD = "held", "waiting for a moderator"
    REMOVED = "removed", "removed"
    SPAM = "spam", "spam"


READABLE = Q(state=State.VISIBLE, deleted_at=None)
"""Comments that everybody can read."""
WAITING = Q(state=State.HELD, deleted_at=None)
"""Comments that only their author and moderators can read so far."""
UNSENT_CORRECTION = READABLE & Q(kind=Kind.CORRECTION, report=None)
"""Corrections that editors don't have yet."""
EDIT_TIME = dt.timedelta(minutes=15)
"""Time to correct a slip. A later edit would change what others have answered, or what a moderator has approved."""
REPORTED = "reported"
"""The reason for a comment hidden by readers' reports."""


def waiting_of(user_id: int | None) -> Q:
    """This person's own comments waiting for a moderator. ``user_id`` is None if nobody is signed in."""
    # A held comment from a deleted account has no author, and mustn't match visitors who aren't signed in.
    return WAITING & Q(author=user_id) if user_id else Q(pk=None)


def seen_by(user_id: int | None) -> Q:
    """Comments this person can read outside the moderators' queue. `Comment.is_seen_by` does the same for a row."""
    return READABLE | waiting_of(user_id)


class Comment(models.Model):
    """A comment or a reply. ``listed``, ``helpful`` and ``replies`` are derived, only by ``recount``.

    Without an author it came from a deleted account. A deleted comment keeps no text.
    """

    # PROTECT: questions are retired, never deleted once somebody has written about them. The question is stored as well
    # as the version, because a thread continues when its question is revised.
    question = models.ForeignKey(Question, models.PROTECT, related_name="comments")
    version = models.ForeignKey(
        QuestionVersion, models.PROTECT, related_name="comments", help_text="The version it's about."
    )
    # The comment outlives the account: deleting it would orphan its replies.
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="comments"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="answers")
    text = models.TextField(max_length=MAX_TEXT, blank=True)
    # Stored, because a thread is read far more often than written. After a change to the rendering, ``manage.py
    # rerender`` rebuilds it.
    html = models.TextField(editable=False, blank=True, help_text="Sanitised HTML, made when the text is saved.")
    slots = models.JSONField(default=list, editable=False, help_text="The options it refers to.")
    state = models.CharField(max_length=7, choices=State)
    state_reason = models.CharField(max_length=20, blank=True, help_text="Why: a moderator's code, or “reported”.")
    state_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="judged_comments"
    )
    state_at = models.DateTimeField()
    created_at = models.DateTimeField()
    edited_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    screened_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When it was last compared with other texts."
    )
    # These three could be counted when needed. They are stored so that a thread can be sorted and paged by an index;
    # only recount.py writes them, under the comment's lock.
    listed = models.BooleanField(default=False, editable=False, help_text="Shown in its thread, at least as a stub.")
    helpful = models.PositiveIntegerField(default=0, editable=False)
    replies = models.PositiveIntegerField(default=0, editable=False, help_text="Replies that everyone can read.")
    # An index on the text itself would be as large as the texts, and texts that differ only in case wouldn't count as
    # equal.
    fingerprint = models.CharField(max_length=64, editable=False, help_text="Hash of the words.")
    report = models.ForeignKey(
        ContentReport,
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="comments",
        help_text="The report that a correction became.",
    )

    class Meta:
        default_permissions = ()
        permissions = [("moderate_comment", "Can moderate the discussion")]
        constraints = [
            models.CheckConstraint(
                # Pages ask either for comments that start a conversation or for their replies: anything else would be
                # in no list.
                condition=Q(kind=Kind.REPLY, parent__isnull=False) | (~Q(kind=Kind.REPLY) & Q(parent=None)),
                name="comment_reply_has_parent",
            ),
            # Deleted means gone: a text left behind would turn up in exports and searches.
            models.CheckConstraint(condition=Q(deleted_at=None) | Q(text="", html=""), name="comment_deleted_is_empty"),
        ]
        indexes = [
            models.Index(
                # One for each order in which a thread can be read. They include the id, since a page starts after a
                # comment, and two comments may have the same time or count.
                fields=["question", "-created_at", "-id"],
                name="comment_newest",
                condition=Q(listed=True, parent=None),
            ),
            models.Index(
                fields=["question", "-helpful", "-id"],
                name="comment_helpful",
                condition=Q(listed=True, parent=None),
            ),
            models.Index(fields=["parent", "id"], name="comment_replies", condition=Q(parent__isnull=False)),
            models.Index(fields=["author", "-created_at"], name="comment_of_person"),
            # All but one of the following are partial: queues of moderators, screening and editors, which stay short
            # however much is written.
            models.Index(fields=["state", "created_at"], name="comment_waiting", condition=Q(state=State.HELD)),
            models.Index(fields=["fingerprint"], name="comment_same_words"),
            models.Index(fields=["created_at"], name="comment_unscreened", condition=Q(screened_at=None)),
            models.Index(fields=["state_at"], name="comment_unsent", condition=UNSENT_CORRECTION),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk} on question {self.question_id}"

    @property
    def is_readable(self) -> bool:
        """Whether everybody can read it."""
        return self.state == State.VISIBLE and self.deleted_at is None

    def is_seen_by(self, user_id: int | None) -> bool:
        """Whether this person can read it outside the moderators' queue: ``seen_by`` for a loaded row."""
        is_own = bool(user_id) and self.author_id == user_id
        return self.is_readable or (is_own and self.state == State.HELD and self.deleted_at is None)

    @property
    def stamp(self) -> str:
        """What a page records about the comment it showed; changes with each decision."""
        return f"{self.pk}-{self.state}-{self.state_at.timestamp():.6f}"

    def may_change(self, now: dt.datetime) -> bool:
        """Whether its author can still change the text."""
        is_there = self.state in {State.VISIBLE, State.HELD} and self.deleted_at is None
        return is_there and now < self.created_at + EDIT_TIME


class Hit(models.Model):
    """A place where a screening rule matched; the queue shows it as the reason for holding."""

    comment = models.ForeignKey(Comment, models.CASCADE, related_name="hits")
    rule = models.CharField(max_length=40)
    start = models.PositiveSmallIntegerField()
    end = models.PositiveSmallIntegerField()
    text = models.TextField(help_text="The words between start and end.")

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["comment", "rule", "start", "end"], name="hit_once"),
        ]

    def __str__(self) -> str:
        return f"{self.rule} in comment {self.comment_id}"


class Shingle(models.Model):
    """One of a few hashes that represent a comment's words; near-duplicates share several."""

    comment = models.ForeignKey(Comment, models.CASCADE, related_name="shingles")
    # Indexed on its own: near-duplicates are found by a few equal numbers instead of a comparison with every comment.
    value = models.BigIntegerField(db_index=True)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["comment", "value"], name="shingle_once")]

    def __str__(self) -> str:
        return f"{self.value} of comment {self.comment_id}"


class Vote(models.Model):
    """Somebody found a comment helpful. The vote outlives the account, anonymously."""

    comment = models.ForeignKey(Comment, models.CASCADE, related_name="votes")
    # SET_NULL, so that the order of a thread doesn't jump when a voter leaves. The constraint allows any number of
    # nulls.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="helpful_votes")
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["comment", "user"], name="vote_once")]

    def __str__(self) -> str:
        return f"vote for comment {self.comment_id}"


class ThreadState(models.Model):
    """Moderators' settings for a thread; without a row it is open."""

    # A separate table, not columns on the question: what moderators set mustn't pass through the editors' desk.
    question = models.OneToOneField(Question, models.CASCADE, primary_key=True, related_name="thread")
    locked_at = models.DateTimeField(null=True, blank=True)
    locked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=200, blank=True, help_text="Shown in place of the comment form.")
    slow_minutes = models.PositiveSmallIntegerField(
        default=0, help_text="One person may post once in so many minutes; 0: as often as anywhere."
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"thread of question {self.question_id}"


class Subscription(models.Model):
    """A subscription to emails about replies in a conversation. Its token is enough to end it with one click."""

    comment = models.ForeignKey(Comment, models.CASCADE, related_name="subscriptions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="subscriptions")
    # Each mail has its own token, so that a forwarded mail can end this conversation's mails and nothing else.
    token = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["comment", "user"], name="subscription_once")]

    def __str__(self) -> str:
        return f"subscription to comment {self.comment_id}"


class ReplyMail(models.Model):
    """An email about one reply to one subscriber: waiting or sent."""

    subscription = models.ForeignKey(Subscription, models.CASCADE, related_name="mails")
    reply = models.ForeignKey(Comment, models.CASCADE, related_name="mails")
    due_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "reply email"
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["subscription", "reply"], name="reply_mail_once")]
        indexes = [models.Index(fields=["due_at"], name="reply_mail_waiting", condition=Q(sent_at=None))]

    def __str__(self) -> str:
        return f"email about reply {self.reply_id}"
