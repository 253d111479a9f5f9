"""Corrections of a key after publishing. A version never changes: its newest regrade applies."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from practice.sessions.models import PracticeSession
from questions.versions.models.versions import QuestionVersion


class RegradeRule(models.TextChoices):
    OTHER_KEY = "other_key", "a different key"
    EITHER = "either", "either answer is accepted"
    LEFT_OUT = "left_out", "left out of the score"
    FULL_MARKS = "full", "full marks for everyone"


class Regrade(models.Model):
    """Who decided what about a version's key, when and why; ``reached`` is its task's progress."""

    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="regrades")
    rule = models.CharField(max_length=9, choices=RegradeRule)
    masks = models.JSONField(
        # A list, since "either answer" accepts several selections, each of which may consist of several options.
        "accepted answers",
        default=list,
        help_text="Each selection that counts as right; empty if the question is left out or everyone gets full marks.",
    )
    reason = models.TextField(help_text="Shown to every learner affected.")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name="decided by"
    )
    made_at = models.DateTimeField("decided")
    # The task advances this in the transaction of each session, so that it repeats nothing after a crash.
    reached = models.BigIntegerField(default=0, editable=False)
    moved_at = models.DateTimeField(
        null=True, editable=False, help_text="When its task last brought a session up to date."
    )
    failed_at = models.DateTimeField(
        null=True, editable=False, help_text="When its task ended with an error, until it gets further."
    )
    done_at = models.DateTimeField("scores updated", null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-made_at", "-id"]

    def __str__(self) -> str:
        return f"Regrade {self.pk}: {self.get_rule_display()}"


class RegradeProposal(models.Model):
    """A regrade that somebody proposed and a second person hasn't applied yet; one at a time per version.

    ``regrade``: what it became; ``dropped_at``: when it was dropped.
    """

    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="regrade_proposals")
    rule = models.CharField(max_length=9, choices=RegradeRule)
    masks = models.JSONField(default=list, help_text="As of a regrade.")
    reason = models.TextField(help_text="Shown to every learner affected.")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name="proposed by"
    )
    made_at = models.DateTimeField("proposed")
    regrade = models.OneToOneField(Regrade, models.CASCADE, null=True, editable=False, related_name="proposal")
    dropped_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["-made_at", "-id"]
        constraints = [
            # Two open proposals for one key would be confirmed one after the other, and the later one would win unread.
            models.UniqueConstraint(
                fields=["version"], condition=models.Q(regrade=None, dropped_at=None), name="regrade_proposal_open_once"
            )
        ]

    def __str__(self) -> str:
        return f"Proposal {self.pk}: {self.get_rule_display()}"


class RegradeNotice(models.Model):
    """What a regrade changed in a learner's session: old and new, for the result page."""

    regrade = models.ForeignKey(Regrade, models.CASCADE, related_name="notices")
    session = models.ForeignKey(PracticeSession, models.CASCADE, related_name="regrade_notices")
    position = models.PositiveSmallIntegerField()
    # Old and new are copied: the next regrade changes the session, but the notice must still say what this one did.
    was_right = models.BooleanField(null=True)
    is_right = models.BooleanField(null=True)
    old_score = models.PositiveSmallIntegerField(null=True)
    old_total = models.PositiveSmallIntegerField()
    new_score = models.PositiveSmallIntegerField(null=True)
    new_total = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["made_at", "id"]
        constraints = [models.UniqueConstraint(fields=["regrade", "session", "position"], name="regrade_notice_once")]

    def __str__(self) -> str:
        return f"{self.session_id} item {self.position}: {self.was_right} to {self.is_right}"
