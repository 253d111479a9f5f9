"""What an import remembers of the drafts it made, so that importing again changes only what changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from questions.catalogue.models import Exam
from questions.versions.models.drafts import Question


class ImportedItem(models.Model):
    """The item of a file that became a draft: where it came from, and both as they were then."""

    question = models.OneToOneField(Question, models.CASCADE, related_name="imported")
    exam = models.ForeignKey(Exam, models.CASCADE)
    source = models.CharField(max_length=200, help_text="The file’s name, or what its importer calls it.")
    name = models.CharField(max_length=200, help_text="The item’s ID, or its title, or one made from its content.")
    digest = models.CharField(max_length=64, help_text="Hash of the item as imported.")
    draft_digest = models.CharField(max_length=64, help_text="Hash of the draft made from it.")
    category = models.TextField(blank=True)
    tags = models.JSONField(default=list)
    at = models.DateTimeField("imported")

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["exam", "source", "name"], name="imported_once")]
        indexes = [models.Index(fields=["exam", "digest"], name="imported_digest")]

    def __str__(self) -> str:
        return f"{self.source}: {self.name}"


class JobState(models.TextChoices):
    """Where an import that runs beside the requests has got to."""

    WAITING = "waiting", "waiting to start"
    RUNNING = "running", "running"
    DONE = "done", "finished"
    REFUSED = "refused", "stopped"


UNFINISHED = (JobState.WAITING, JobState.RUNNING)


class ImportJob(models.Model):
    """A file too large for one request: stored whole, imported in batches, and emptied when that is over.

    ``position`` is how many items of the file are dealt with; it moves in the transaction that stores their drafts.
    """

    exam = models.ForeignKey(Exam, models.CASCADE)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    source = models.CharField(max_length=200, help_text="The file’s name.")
    domain = models.CharField(max_length=60, blank=True)
    format = models.CharField(max_length=40)
    content = models.BinaryField(help_text="The file itself; empty once the import is over.")
    digest = models.CharField(max_length=64, help_text="Of the file.")
    state = models.CharField(max_length=7, choices=JobState, default=JobState.WAITING)
    total = models.PositiveIntegerField(null=True, help_text="Items in the file, once counted.")
    position = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict, help_text="Number of items by outcome.")
    notes = models.JSONField(default=list, help_text="The first items that weren’t imported: line, outcome, reason.")
    trouble = models.TextField(blank=True)
    made_at = models.DateTimeField()
    moved_at = models.DateTimeField(help_text="When a run last began or stored a batch.")
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["exam", "digest"], condition=Q(state__in=["waiting", "running"]), name="import_runs_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source} into {self.exam_id}"

    @property
    def is_over(self) -> bool:
        return self.state not in UNFINISHED
