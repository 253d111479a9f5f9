"""Learners, and what they keep for themselves."""

from __future__ import annotations

from decimal import Decimal

from django.conf import settings
from django.db import models
from django.utils import timezone

from questions.models import Exam, Question, StudyModule

UNTOLD = "UTC"
"""The time zone of whom no browser has told one."""


class Learner(models.Model):
    """Who practises: a signed-in user, a guest known by a token, or nobody any more."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    guest_key = models.CharField(max_length=64, null=True, blank=True, unique=True, editable=False)
    time_zone = models.CharField(max_length=64, default=UNTOLD, help_text="As the browser told it last.")
    chosen_zone = models.CharField(max_length=64, blank=True, help_text="As chosen in the account; it wins.")
    time_factor = models.DecimalField(
        max_digits=4, decimal_places=2, default=Decimal(1), help_text="Extra time by default; 0 means untimed."
    )
    exam = models.ForeignKey(
        Exam, models.SET_NULL, null=True, blank=True, db_index=False, help_text="Which a user said they prepare for."
    )
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"learner {self.pk}"


class Adoption(models.Model):
    """A guest's learner joined an account's: requests of the guest that were under way find it here."""

    guest_key = models.CharField(primary_key=True, max_length=64)
    learner = models.ForeignKey(Learner, models.CASCADE, related_name="adoptions")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"a guest joined learner {self.learner_id}"


class Bookmark(models.Model):
    """A question a learner wants to find again."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="bookmarks")
    question = models.ForeignKey(Question, models.CASCADE)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at"]
        constraints = [models.UniqueConstraint(fields=["learner", "question"], name="bookmark_once")]

    def __str__(self) -> str:
        return f"bookmark of {self.question_id}"


class Note(models.Model):
    """A learner's private note on a question."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="notes")
    question = models.ForeignKey(Question, models.CASCADE)
    text = models.TextField(max_length=4000)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "question"], name="note_once")]

    def __str__(self) -> str:
        return f"note on {self.question_id}"


class ModuleRead(models.Model):
    """A module of the study guide that a learner has marked as read."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="modules_read", db_index=False)
    module = models.ForeignKey(StudyModule, models.CASCADE)
    read_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "module"], name="module_read_once")]

    def __str__(self) -> str:
        return f"{self.learner_id} read {self.module_id}"
