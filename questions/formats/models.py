"""What an import records about its drafts: to change only what has changed next time, and for undo."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from questions.catalogue.models import Exam
from questions.versions.models.drafts import Question


class ImportedItem(models.Model):
    """A file's item that became a draft: where it came from, and the content of both at that time."""

    # Only a question's last import is kept: what matters is whether the file or the draft has changed since.
    question = models.OneToOneField(Question, models.CASCADE, related_name="imported")
    exam = models.ForeignKey(Exam, models.CASCADE)
    source = models.CharField(max_length=200, help_text="The file’s name, or what its importer calls it.")
    name = models.CharField(max_length=200, help_text="The item’s ID, or its title, or one made from its content.")
    # Two digests, because either side may have changed: the item in the file since it was read, or the draft since it
    # was made. Hashes are enough to tell, and no second copy of the texts is needed.
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
    """The state of a background import."""

    WAITING = "waiting", "waiting to start"
    RUNNING = "running", "running"
    COMMAND = "command", "run by a command"
    DONE = "done", "finished"
    REFUSED = "refused", "stopped"
    UNDONE = "undone", "undone"


UNFINISHED = (JobState.WAITING, JobState.RUNNING)


class ImportJob(models.Model):
    """One import of a file of any size: its batch. The file is stored whole until the import is finished.

    ``position`` is how many items of the file have been handled; it advances in the transaction that stores their
    drafts. A command reads the file itself and stores none of it; the state COMMAND says so until it is done.
    """

    exam = models.ForeignKey(Exam, models.CASCADE)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    source = models.CharField(max_length=200, help_text="The file’s name.")
    domain = models.CharField(max_length=60, blank=True)
    format = models.CharField(max_length=40)
    # Stored in the database, since the worker may run on another machine; emptied at the end, since a file can have
    # megabytes.
    content = models.BinaryField(help_text="The file itself; empty once the import is over.")
    digest = models.CharField(max_length=64, help_text="Of the file.")
    state = models.CharField(max_length=7, choices=JobState, default=JobState.WAITING)
    total = models.PositiveIntegerField(null=True, help_text="Items in the file, once counted.")
    # Counts items, not bytes: formats are read as streams of items, and in a package there is no single position in
    # bytes.
    position = models.PositiveIntegerField(default=0)
    counts = models.JSONField(default=dict, help_text="Number of items by outcome.")
    notes = models.JSONField(default=list, help_text="The first items that weren’t imported: line, outcome, reason.")
    trouble = models.TextField(blank=True)
    matching: models.JSONField[Any, Any] = models.JSONField(
        default=dict, help_text="What happens to questions that are here under an item’s permanent name."
    )
    made_at = models.DateTimeField("imported")
    moved_at = models.DateTimeField(help_text="When a run last began or stored a batch.")
    finished_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    undone: models.JSONField[Any, Any] = models.JSONField(
        default=dict, help_text="Number of questions by what undoing did."
    )

    class Meta:
        ordering = ["-id"]
        default_permissions = ()
        verbose_name = "import"
        constraints = [
            # Pressing the button twice makes one import; importing the same file again later is allowed, and then
            # changes nothing.
            models.UniqueConstraint(
                fields=["exam", "digest"], condition=Q(state__in=["waiting", "running"]), name="import_runs_once"
            )
        ]

    def __str__(self) -> str:
        return self.source

    @property
    def is_over(self) -> bool:
        return self.state not in UNFINISHED


class Left(models.TextChoices):
    """What an import left on a question's desk."""

    MADE = "made", "new draft"
    REVISED = "revised", "draft revision of a live question"
    OVERWROTE = "overwrote", "changed a draft that was there before"


class BatchEntry(models.Model):
    """A question changed by an import, and its draft's revision then: any later save changes that number."""

    batch = models.ForeignKey(ImportJob, models.CASCADE, related_name="entries")
    question = models.ForeignKey(Question, models.CASCADE, related_name="batch_entries")
    left = models.CharField(max_length=9, choices=Left)
    line = models.PositiveIntegerField()
    # What undoing compares: any save since has raised the draft's number, whatever it changed.
    revision = models.PositiveIntegerField()
    tags = models.JSONField(default=list, help_text="As the file has them, also those that are no concepts here.")
    at = models.DateTimeField()

    class Meta:
        ordering = ["batch", "line", "id"]
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["batch", "question"], name="entry_once")]

    def __str__(self) -> str:
        return f"{self.batch}: line {self.line}"
