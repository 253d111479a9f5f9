"""Tables for moderators: readers' reports, claims, the log, suspensions, saved replies."""

from __future__ import annotations

import datetime as dt
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import Q

from discussion.comments.models.comments import MAX_TEXT, Comment
from questions.versions.models.drafts import Question

MAX_REPORT = 1000
"""What is wrong with the comment fits in a few lines, and moderators read many."""
KEPT_FOR = dt.timedelta(days=30)
"""How long staff can read what an author withdrew while it was under review."""
MAX_WORDS = 500
"""It's shown to the author as the reason; the longer it is, the more it invites argument."""


class Harm(models.TextChoices):
    """Why a reader reports a comment, most serious first."""

    LEAK = "leak", "It contains real exam content"
    ABUSE = "abuse", "It insults or threatens someone"
    PERSONAL = "personal", "It reveals someone’s personal data"
    SPAM = "spam", "It advertises something"
    WRONG = "wrong", "It’s wrong or misleading"
    OTHER = "other", "Something else"


LIVE_HARM = (Harm.LEAK, Harm.ABUSE)
"""Reports that moderators are told about at once."""
HIDING = (Harm.LEAK, Harm.ABUSE, Harm.PERSONAL, Harm.SPAM)
"""Reports that can hide a comment before a moderator has seen it. If it's just wrong, people can reply."""


class Reason(models.TextChoices):
    """Why a moderator removes a comment, in display order; each has a template for the author's notice."""

    LEAK = "leak", "real exam content"
    ADVERT = "advert", "advertising or an unhelpful link"
    ABUSE = "abuse", "insulting"
    PERSONAL = "personal", "personal data or contact details"
    OFF_TOPIC = "off-topic", "not about this question"
    REPEATED = "repeated", "already said"
    UNREADABLE = "unreadable", "hard to read"
    OTHER = "other", "another reason"


class CommentReport(models.Model):
    """A reader says that a comment breaks a rule. Once per person and comment; open until a moderator decides."""

    comment = models.ForeignKey(Comment, models.CASCADE, related_name="reports")
    # The report stays when its reporter leaves: what it says about the comment is still true.
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="comment_reports")
    reason = models.CharField(max_length=10, choices=Harm)
    text = models.TextField(max_length=MAX_REPORT, blank=True)
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    upheld = models.BooleanField(null=True, editable=False, help_text="Whether a moderator agreed; empty until then.")

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["comment", "reporter"], name="comment_report_once")]
        indexes = [
            models.Index(fields=["made_at"], name="comment_report_open", condition=Q(closed_at=None)),
            # For a report's weight, which depends on how often its reporter was right before and is computed for every
            # report.
            models.Index(fields=["reporter"], name="comment_report_record", condition=Q(upheld__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: comment {self.comment_id}"


class KeptText(models.Model):
    """A text that its author deleted or changed while it was reported, held or removed. Only staff can read it.

    After ``KEPT_FOR`` the text is cleared; the row stays, as part of the author's record.
    """

    # A separate row, although the comment could simply have kept its text: this way, deleted means deleted for all code
    # that reads comments, and only staff look here.
    comment = models.ForeignKey(Comment, models.CASCADE, related_name="kept_texts")
    text = models.TextField(max_length=MAX_TEXT, blank=True)
    at = models.DateTimeField()
    is_deleted = models.BooleanField(help_text="Deleted; else changed.")

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["at"], name="kept_text_to_purge", condition=~Q(text=""))]

    def __str__(self) -> str:
        return f"text of comment {self.comment_id}, kept"


def legible() -> Q:
    """Comments with a text that staff can read: its own, or the one kept when its author deleted it."""
    kept = KeptText.objects.filter(is_deleted=True).exclude(text="")
    return Q(deleted_at=None) | Q(pk__in=kept.values("comment"))


class Claim(models.Model):
    """A moderator is working on a comment until the claim expires, so that two don't decide on it at once."""

    # One row for each comment, so that if two moderators claim it at once, the database lets only one.
    comment = models.OneToOneField(Comment, models.CASCADE, primary_key=True, related_name="claim")
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="claims")
    until = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["moderator", "until"], name="claim_of_moderator")]

    def __str__(self) -> str:
        return f"claim on comment {self.comment_id}"


class Suspension(models.Model):
    """A person can't write here until then, unless it was lifted."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="suspensions")
    until = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=MAX_WORDS, help_text="Shown to the person.")
    made_at = models.DateTimeField()
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["user", "until"], name="suspension_in_force")]

    def __str__(self) -> str:
        return f"suspension of user {self.user_id} until {self.until:%Y-%m-%d}"


class Act(models.TextChoices):
    APPROVE = "approve", "approved"
    REJECT = "reject", "removed"
    SPAM = "spam", "marked as spam"
    EDIT_OUT = "edit-out", "edited"
    LOCK = "lock", "discussion closed"
    UNLOCK = "unlock", "discussion reopened"
    SLOW = "slow", "slow mode changed"
    SUSPEND = "suspend", "author suspended"
    REVERSE = "reverse", "reversed"


class SavedReply(models.Model):
    """Reusable words, shared by all moderators."""

    title = models.CharField(max_length=80, unique=True)
    text = models.TextField(max_length=MAX_WORDS)
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        ordering = ["title"]

    def __str__(self) -> str:
        return self.title


class LogQuerySet(models.QuerySet["LogEntry"]):
    """Entries are read, and added one by one. Only account deletion bypasses this, to remove a name."""

    def refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused: the log is only added to."""
        raise TypeError("the log is never changed or shortened; add an entry")

    update = bulk_update = bulk_create = delete = refuse


class LogEntry(models.Model):
    """A moderator's action. Entries are added and never changed; ``before`` and ``after`` are what it changed."""

    act = models.CharField(max_length=10, choices=Act)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="moderation_log")
    # PROTECT, here and below: if its subject were deleted, an entry would no longer say what was decided about.
    comment = models.ForeignKey(Comment, models.PROTECT, null=True, blank=True, related_name="log")
    question = models.ForeignKey(Question, models.PROTECT, null=True, blank=True, related_name="+")
    subject = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The author it concerns.",
    )
    reason = models.CharField(max_length=20, blank=True)
    words = models.CharField(max_length=MAX_WORDS, blank=True, help_text="What the moderator added.")
    # Each kind of action changes different things, and more of them over time. As JSON, old entries can still be
    # reversed as they were written.
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField()
    # One-to-one, so that an action is reversed only once, even if two moderators press the button at the same time.
    reverses = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="reversal")

    objects = LogQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        ordering = ["-id"]
        indexes = [
            # Actions taken in one go are found by moderator and time (decision 0037).
            models.Index(fields=["at"], name="moderation_log_at"),
            models.Index(fields=["by", "-at"], name="moderation_log_by"),
        ]

    def __str__(self) -> str:
        return f"{self.get_act_display()} on {self.at:%Y-%m-%d}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only new entries are stored."""
        if not self._state.adding:
            raise TypeError("the log is never changed; add an entry")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refused: the log is never shortened."""
        raise TypeError("the log is never shortened")
