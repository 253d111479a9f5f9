"""Questions as published: immutable versions in three documents."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models

from questions.catalogue.models import Concept, Domain
from questions.versions.models.drafts import Difficulty, Family, Kind, Pool, Question


class Change(models.TextChoices):
    """What a new version changed, as stated by its publisher."""

    FIRST = "first", "first version"
    TYPO = "typo", "wording"
    SEMANTIC = "semantic", "meaning"
    KEY = "key", "key"


class QuestionVersion(models.Model):
    """An immutable publication: the prompt's facts, and its HTML, which ``rerender`` can rebuild."""

    # PROTECT: results, exports and regrades read the version a learner was shown, however old.
    question = models.ForeignKey(Question, models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField()
    family = models.ForeignKey(Family, models.PROTECT, null=True, blank=True, related_name="versions")
    clause = models.TextField(blank=True, help_text="The part of the stem that sets it apart from its siblings.")
    domain = models.ForeignKey(Domain, models.PROTECT)
    concepts = models.ManyToManyField(Concept)
    kind = models.CharField(max_length=10, choices=Kind)
    difficulty = models.CharField(max_length=10, choices=Difficulty)
    # Copied from the draft, like the texts: what was reserved when it was answered stays so in the records.
    pool = models.CharField(max_length=10, choices=Pool)
    title = models.CharField(max_length=120)
    choose = models.PositiveSmallIntegerField()
    is_basic = models.BooleanField(
        default=False,
        help_text="Less complete than a full question: in drills and on public pages, in no mock or figure.",
    )
    stem = models.TextField()
    # One document, not rows: it's written once and read whole, by every page that shows the prompt.
    options = models.JSONField(help_text="[{slot, text}] in slot order")
    change = models.CharField(max_length=10, choices=Change)
    change_note = models.TextField(blank=True)
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    # Rewording mustn't throw thousands of answers away. This points directly to the root, so that no query follows a
    # chain.
    measured_as = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        editable=False,
        related_name="rewordings",
        help_text="The version whose statistics it shares, if only the wording changed.",
    )
    # Stored, because a page of sixty prompts would otherwise render some 240 options at each view. ``manage.py
    # rerender`` rebuilds it.
    stem_html = models.TextField(editable=False)
    options_html = models.JSONField(editable=False, help_text="{slot: html}")

    class Meta:
        ordering = ["question", "number"]
        constraints = [models.UniqueConstraint(fields=["question", "number"], name="version_number")]
        indexes = [
            # For the errata: most versions are first ones.
            models.Index(fields=["published_at"], condition=~models.Q(change=Change.FIRST), name="version_corrected"),
        ]

    def __str__(self) -> str:
        return f"{self.title} (version {self.number})"


class Hint(models.Model):
    """A version's clue words: highlighted, with why each matters, never what it confirms."""

    # Separate from the version, as the solution is: what an unfinished mock doesn't join, no template can show by
    # mistake.
    version = models.OneToOneField(QuestionVersion, models.CASCADE, primary_key=True, related_name="hint")
    clues = models.JSONField(help_text="[{phrase, why}]")
    html: models.JSONField[Any, Any] = models.JSONField(editable=False, help_text="{stem, clues: [{phrase, why}]}")

    def __str__(self) -> str:
        return f"hint of {self.version_id}"


class Solution(models.Model):
    """A version's key, rationales and explanation; the code for an unfinished mock never joins it."""

    version = models.OneToOneField(QuestionVersion, models.CASCADE, primary_key=True, related_name="solution")
    key_mask = models.PositiveSmallIntegerField(help_text="bit = slot")
    text = models.JSONField(help_text="The facts, as written.")
    html: models.JSONField[Any, Any] = models.JSONField(editable=False)

    def __str__(self) -> str:
        return f"solution of {self.version_id}"
