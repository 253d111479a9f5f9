"""What an import remembers of the drafts it made, so that importing again changes only what changed."""

from __future__ import annotations

from django.db import models

from questions.models.drafts import Question
from questions.models.exams import Exam


class ImportedItem(models.Model):
    """The item of a file that became a draft: where it came from, and both as they were then."""

    question = models.OneToOneField(Question, models.CASCADE, related_name="imported")
    exam = models.ForeignKey(Exam, models.CASCADE)
    source = models.CharField(max_length=200, help_text="The file's name, or what its importer calls it.")
    name = models.CharField(max_length=200, help_text="The item's id, else its title, else its content's.")
    digest = models.CharField(max_length=64, help_text="Of the item as it was imported.")
    draft_digest = models.CharField(max_length=64, help_text="Of the draft that was made of it.")
    category = models.TextField(blank=True)
    tags = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["exam", "source", "name"], name="imported_once")]
        indexes = [models.Index(fields=["exam", "digest"], name="imported_digest")]

    def __str__(self) -> str:
        return f"{self.source}: {self.name}"
