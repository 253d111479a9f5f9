"""What lies on the editors' desk: its history with comments, and the warnings somebody waived."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion


class DeskAct(models.TextChoices):
    BEGUN = "begun", "began a draft"
    SUBMITTED = "submitted", "asked for review"
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


class DeskEntry(models.Model):
    """One line of a question's history, never changed: who did what, when, and in which words."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="desk_entries")
    act = models.CharField(max_length=10, choices=DeskAct)
    text = models.TextField(blank=True, max_length=4000)
    version = models.ForeignKey(QuestionVersion, models.CASCADE, null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["question", "-at", "-id"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.get_act_display()}: {self.text[:60]}"


class Waiver(models.Model):
    """A warning that was looked at and left as it is; it holds while the text it was given for stays the same."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="waivers")
    rule = models.CharField(max_length=50)
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
