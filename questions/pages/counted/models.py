"""Stored counts and order of an exam's public questions. Derived: a task recounts them every minute."""

from __future__ import annotations

from django.db import models

from questions.catalogue.models import Exam


class PublicCounts(models.Model):
    """How many public questions an exam has and when they last changed, as of ``counted_at``."""

    exam = models.OneToOneField(Exam, models.CASCADE, primary_key=True, related_name="public_counts")
    total = models.PositiveIntegerField()
    # One document: every page reads a few of its numbers, and it is written all at once.
    counts = models.JSONField(
        help_text="questions [[domain, difficulty, kind, n]], concepts [[id, n]], troubleshooting"
    )
    # Null if written by the previous release. Only the sitemaps and the feed read them.
    dates = models.JSONField(null=True, help_text="domains [[id, moment]], parts [[n, moment]], erratum")
    counted_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        verbose_name_plural = "public counts"

    def __str__(self) -> str:
        return f"public questions of {self.exam_id}: {self.total}"


class ListPart(models.Model):
    """Which questions are in a part of the exam's list, in order."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="list_parts", db_index=False)
    place = models.PositiveIntegerField()
    questions = models.JSONField(help_text="[id]")

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["exam", "place"], name="list_part_place")]

    def __str__(self) -> str:
        return f"part {self.place} of the list of {self.exam_id}"
