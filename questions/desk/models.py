"""The editors' desk: history with comments, waived warnings, changes to several questions at once."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from questions.versions.models.drafts import Question
from questions.versions.models.versions import Change, QuestionVersion


class DeskAct(models.TextChoices):
    BEGUN = "begun", "began a draft"
    SUBMITTED = "submitted", "submitted it for review"
    TAKEN_BACK = "taken_back", "moved it back to draft"
    SENT_BACK = "sent_back", "sent it back"
    COMMENTED = "commented", "commented"
    PUBLISHED = "published", "published"
    DISCARDED = "discarded", "discarded the draft"
    RESTORED = "restored", "restored an earlier version"
    WITHDRAWN = "withdrawn", "withdrew it"
    RETURNED = "returned", "put it back in use"
    RETIRED = "retired", "retired it"
    WAIVED = "waived", "waived a warning"
    CHANGED = "changed", "changed it together with others"
    COPIED = "copied", "created it as a copy"


class DeskEntry(models.Model):
    """One line of a question's history, never changed: who did what, when, and with which words."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="desk_entries")
    act = models.CharField(max_length=10, choices=DeskAct)
    # The words themselves, not a code: people read the history years later.
    text = models.TextField(blank=True, max_length=4000)
    # The version itself, so that the history can show what was published and link to it.
    version = models.ForeignKey(QuestionVersion, models.CASCADE, null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["question", "-at", "-id"]
        default_permissions = ()
        # The task that mails what happened reads the latest entries of all questions.
        indexes = [models.Index(fields=["at"], name="desk_entry_at")]

    def __str__(self) -> str:
        return f"{self.get_act_display()}: {self.text[:60]}"


class ToldEntry(models.Model):
    """An entry that has been notified or needs no notification; written with the email."""

    # A separate row, not a column in the history, because entries are never changed.
    entry = models.OneToOneField(DeskEntry, models.CASCADE, primary_key=True)

    class Meta:
        default_permissions = ()
        verbose_name_plural = "told entries"

    def __str__(self) -> str:
        return str(self.entry_id)


class NoDeskMail(models.Model):
    """Somebody who has turned off the desk's emails."""

    # Opting out is rare, so this is what is stored: everybody else gets the emails without a row.
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True)

    class Meta:
        default_permissions = ()
        verbose_name_plural = "people without the desk’s mail"

    def __str__(self) -> str:
        return str(self.user_id)


class Waiver(models.Model):
    """A warning that was reviewed and accepted; valid while its text stays the same."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="waivers")
    rule = models.CharField(max_length=50)
    # With a digest of the text, so that a waiver lapses when the text it was given for changes.
    fingerprint = models.CharField(max_length=64, help_text="Hash of the rule, the field and its text.")
    reason = models.TextField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["question", "id"]
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["question", "fingerprint"], name="waiver_once")]

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason[:60]}"


class ChangeState(models.TextChoices):
    """The state of a change to several questions."""

    WAITING = "waiting", "waiting for review"
    APPLIED = "applied", "applied"
    DECLINED = "declined", "declined"
    WITHDRAWN = "called_off", "withdrawn"


class BulkChange(models.Model):
    """One change to several questions, which somebody else reviews. It isn't in any question before that.

    ``recipe`` says what changes, as in ``questions.desk.many.rules``; the diff is computed from it and the current
    drafts, so that there is no second source of truth.
    """

    # The change, not its result: texts before and after would be stale at the next edit (decision 0055).
    recipe = models.JSONField()
    change = models.CharField(max_length=10, choices=Change, help_text="What it is to the versions that it publishes.")
    why = models.TextField(max_length=4000)
    questions = models.ManyToManyField(Question, related_name="bulk_changes")
    state = models.CharField(max_length=10, choices=ChangeState, default=ChangeState.WAITING)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    made_at = models.DateTimeField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    said = models.TextField(blank=True, max_length=4000, help_text="What was said when it was decided.")

    class Meta:
        ordering = ["-made_at", "-id"]
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                # A decision is a state and a time together. With only one of them, a change would stay in the list, or
                # drop out of it undecided.
                condition=models.Q(state="waiting", decided_at=None)
                | ~models.Q(state="waiting") & models.Q(decided_at__isnull=False),
                name="bulk_change_decided_or_waiting",
            )
        ]
        indexes = [models.Index(fields=["made_at"], condition=models.Q(state="waiting"), name="bulk_change_waiting")]

    def __str__(self) -> str:
        return self.why[:60]

    @property
    def is_withdrawal(self) -> bool:
        """Whether nothing is published by it."""
        return bool(self.recipe["kind"] == "withdrawal")
