"""Between authors and moderators: notices, appeals, and moderators' notes about an author."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import models
from django.db.models import Q

from discussion.comments.models.comments import Comment
from discussion.comments.models.moderation import Act, LogEntry

APPEALABLE = (Act.REJECT, Act.EDIT_OUT, Act.SUSPEND)
"""Actions an author can appeal. They aren't told about spam."""
APPEAL_TIME = dt.timedelta(days=30)
"""How long after a decision its author can appeal."""
MAX_APPEAL = 1000
"""Room for reasons, not for a quarrel: each appeal is read in full by a moderator who doesn't know the case yet."""
MAX_NOTE = 1000
"""A few lines for colleagues. It's about a person, who may ask for everything stored about them."""


class Appeal(models.Model):
    """An author asks for a second look at a decision, once for each; a different moderator answers."""

    # One-to-one, so that the database itself allows only one appeal for each decision.
    entry = models.OneToOneField(LogEntry, models.PROTECT, related_name="appeal")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="appeals")
    text = models.TextField(max_length=MAX_APPEAL)
    made_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    is_granted = models.BooleanField(null=True, help_text="Whether the decision was reversed; empty until then.")
    words = models.CharField(max_length=500, blank=True, help_text="What the second moderator tells the author.")

    class Meta:
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                # The two columns of an answer are set together; an appeal with only one of them would be in nobody's
                # list.
                condition=Q(answered_at=None, is_granted=None) | Q(answered_at__isnull=False, is_granted__isnull=False),
                name="appeal_answered_or_open",
            ),
        ]
        indexes = [models.Index(fields=["made_at"], name="appeal_waiting", condition=Q(answered_at=None))]

    def __str__(self) -> str:
        return f"appeal against log entry {self.entry_id}"


class Notice(models.Model):
    """A message to an author: about an action, a comment held later, an appeal, or a comment that mentions them.

    It is in the inbox and, except for the last kind, emailed. It can be read once undo is no longer possible; a
    reversal deletes one that was neither read nor emailed.
    """

    entry = models.OneToOneField(LogEntry, models.CASCADE, null=True, blank=True, related_name="notice")
    comment = models.ForeignKey(Comment, models.CASCADE, null=True, blank=True, related_name="held_notices")
    appeal = models.OneToOneField(Appeal, models.CASCADE, null=True, blank=True, related_name="notice")
    mention = models.ForeignKey(Comment, models.CASCADE, null=True, blank=True, related_name="mention_notices")
    # CASCADE, unlike in the tables around it: a message is no use without its recipient.
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    due_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                condition=Q(entry__isnull=False, comment=None, appeal=None, mention=None)
                | Q(entry=None, comment__isnull=False, appeal=None, mention=None)
                | Q(entry=None, comment=None, appeal__isnull=False, mention=None)
                | Q(entry=None, comment=None, appeal=None, mention__isnull=False),
                name="notice_about_one_thing",
            ),
            # ``settle`` runs after every change of state, and twice if a task is repeated; because of these two it
            # reports each thing once.
            models.UniqueConstraint(fields=["comment", "due_at"], name="notice_of_holding_once"),
            models.UniqueConstraint(fields=["mention", "user"], name="notice_of_mention_once"),
        ]
        indexes = [
            # For notices not yet mailed or read: the task looks every 30 seconds and nearly always finds none.
            models.Index(fields=["due_at"], name="notice_waiting", condition=Q(sent_at=None, read_at=None)),
            models.Index(fields=["user", "-due_at"], name="notice_of_person"),
        ]

    def __str__(self) -> str:
        return f"notice {self.pk} for user {self.user_id}"


class AuthorNote(models.Model):
    """A moderator's note for the others about an author. It is deleted with the author's account."""

    about = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="moderators_notes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    text = models.TextField(max_length=MAX_NOTE)
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["about", "-made_at"], name="note_about_author")]

    def __str__(self) -> str:
        return f"note {self.pk} about user {self.about_id}"
