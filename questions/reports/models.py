"""What readers say is wrong with a question, and what the editors answered."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

from questions.versions.models.versions import QuestionVersion

MAX_REPORT = 2000
"""Room for a quotation and an argument. A correction from the discussion may be longer and is cut, with a note that
says so."""


class ReportKind(models.TextChoices):
    """What is wrong, according to the reporter."""

    FACT = "fact", "A fact is wrong"
    KEY = "key", "Another answer is right"
    WORDING = "wording", "The wording is unclear"
    OUTDATED = "outdated", "It’s out of date"
    OTHER = "other", "Something else"


class ReportState(models.TextChoices):
    OPEN = "open", "open"
    ACCEPTED = "accepted", "accepted"
    DECLINED = "declined", "declined"
    DUPLICATE = "duplicate", "duplicate"


class ContentReport(models.Model):
    """A report on a version of a question; its answer can be corrected.

    The reporter's words change only while it is open, and only with the comment they came from. Without a reporter it
    came from a guest or a deleted account: then anyone with its URL can open it.
    """

    token = models.UUIDField(
        default=uuid.uuid4, unique=True, editable=False, help_text="Part of its address; can’t be guessed."
    )
    # The version, not the question: the error may be fixed in the next version, and the page says which one it was in.
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="reports")
    slot = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The option it’s about, if any.")
    kind = models.CharField(max_length=10, choices=ReportKind)
    text = models.TextField(max_length=MAX_REPORT)
    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="content_reports"
    )
    made_at = models.DateTimeField("reported")
    # Unique, so that a report sent twice is one row, whichever of two processes gets it.
    fingerprint = models.CharField(
        max_length=64, unique=True, editable=False, help_text="Hash of person, version and text."
    )
    state = models.CharField(max_length=10, choices=ReportState, default=ReportState.OPEN)
    outcome = models.TextField(max_length=MAX_REPORT, blank=True, help_text="Shown to the reporter.")
    public_note = models.CharField(max_length=200, blank=True, help_text="One line for the page’s changelog.")
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="answered_reports"
    )
    answered_at = models.DateTimeField("replied", null=True, blank=True)
    # Goes up with each answer: an editor's page says which answer it saw, so that nobody corrects one they haven't
    # read.
    answers = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="How many times it has been answered."
    )
    told_at = models.DateTimeField(
        "reporter emailed", null=True, blank=True, editable=False, help_text="When we emailed the reporter."
    )

    class Meta:
        verbose_name = "error report"
        verbose_name_plural = "error reports"
        default_permissions = ()  # everybody who can change questions may answer reports
        constraints = [
            models.CheckConstraint(
                # Both are needed to mail the reporter; one alone would mail nobody, or somebody about nothing.
                condition=Q(state=ReportState.OPEN, answered_at=None)
                | (~Q(state=ReportState.OPEN) & Q(answered_at__isnull=False)),
                name="report_answered_or_open",
            ),
            models.CheckConstraint(
                condition=Q(public_note="") | Q(state=ReportState.ACCEPTED), name="report_note_when_accepted"
            ),
        ]
        indexes = [
            # For a person's own list; the one below is for the editors' queue.
            models.Index(fields=["reporter", "-made_at"], name="report_of_person"),
            models.Index(fields=["state", "answered_at"], name="report_queue"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.version}"

    @property
    def option_text(self) -> str:
        """The text of the option it is about; "" if it is about the question."""
        return next((option["text"] for option in self.version.options if option["slot"] == self.slot), "")
