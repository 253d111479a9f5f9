"""The tables search reads. All derived: ``manage.py rebuild_search`` rebuilds them.

The database maintains the full-text index for an entry, with generated columns on PostgreSQL and triggers on SQLite
(migrations 0024 and 0027), so that no code can forget to.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from questions.catalogue.models import Concept, StudyModule
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion

LONGEST_WORD = 40
"""Anything longer is an address or a hash, which nobody mistypes by a letter."""


class SearchEntry(models.Model):
    """The text of a live public version, a concept, or a section of a study module (``anchor`` "" is its rest)."""

    # Exactly one of these three columns is set, so that the database deletes an entry along with what it's about.
    version = models.OneToOneField(QuestionVersion, models.CASCADE, null=True, related_name="+")
    concept = models.OneToOneField(Concept, models.CASCADE, null=True, related_name="+")
    module = models.ForeignKey(StudyModule, models.CASCADE, null=True, related_name="+")
    anchor = models.CharField(max_length=200, blank=True)
    # Shows the task that catches up whether an entry has yesterday's text, without reading it.
    digest = models.CharField(max_length=64, blank=True, help_text="Of the module's file that it was made from.")
    title = models.TextField()
    prompt = models.TextField(help_text="Stem and options, or the text of a section.")
    solution = models.TextField(blank=True, help_text="What a question's page shows behind its answer.")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(version__isnull=False, concept=None, module=None)
                | Q(version=None, concept__isnull=False, module=None)
                | Q(version=None, concept=None, module__isnull=False),
                name="search_entry_of_one",
            )
        ]
        verbose_name_plural = "search entries"

    def __str__(self) -> str:
        return self.title


class DraftEntry(models.Model):
    """The text of a question's draft, including reserved ones: only for editors, never joined by public search."""

    question = models.OneToOneField(Question, models.CASCADE, related_name="+")
    title = models.TextField()
    names = models.TextField(help_text="Permanent names: its own, its family's, its domain's and its concepts'.")
    prompt = models.TextField(help_text="Stem and options.")
    rest = models.TextField(help_text="Clues, reasons, the answer and the sources.")

    class Meta:
        default_permissions = ()
        verbose_name_plural = "draft entries"

    def __str__(self) -> str:
        return self.title


class SearchWord(models.Model):
    """A word as written in entries, and in how many: mistyped words are compared with these."""

    word = models.CharField(max_length=LONGEST_WORD, unique=True)
    # Signed, so that a count below zero, after some fault, drops the word instead of stopping a publisher.
    entries = models.IntegerField()

    def __str__(self) -> str:
        return self.word
