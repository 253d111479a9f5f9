"""What is asked: exams and their blueprints, questions as drafts, versions as published."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils.text import slugify

RESERVED_SLUGS = frozenset({"sessions", "history"})


def refuse_reserved_slug(value: str) -> None:
    """``/practice/sessions/`` and ``/practice/history/`` are addresses of their own."""
    if value in RESERVED_SLUGS:
        raise ValidationError(f"“{value}” is an address of the site and cannot name an exam.")


class Exam(models.Model):
    """A certification exam people prepare for."""

    slug = models.SlugField(unique=True, validators=[refuse_reserved_slug])
    code = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    vendor = models.CharField(max_length=100)
    summary = models.TextField()
    guide_url = models.URLField()
    highest_number = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        """The exam's page."""
        return reverse("exam", args=[self.slug])


class Blueprint(models.Model):
    """A dated guide of an exam: how many questions, how long, how the domains weigh."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="blueprints")
    key = models.SlugField()
    name = models.CharField(max_length=100)
    effective_from = models.DateField()
    is_current = models.BooleanField(default=False)
    question_count = models.PositiveSmallIntegerField()
    minutes = models.PositiveSmallIntegerField()
    pass_mark = models.PositiveSmallIntegerField(help_text="Percent of a mock here; vendors seldom publish theirs.")

    class Meta:
        ordering = ["effective_from"]
        constraints = [
            models.UniqueConstraint(fields=["exam", "key"], name="blueprint_key"),
            models.UniqueConstraint(
                fields=["exam"],
                condition=models.Q(is_current=True),
                name="one_current_blueprint_per_exam",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.exam} {self.name}"


class Domain(models.Model):
    """A part of an exam. Its key and number stay; its printed name belongs to the blueprint."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="domains")
    key = models.SlugField()
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["exam", "number"]
        constraints = [
            models.UniqueConstraint(fields=["exam", "key"], name="domain_key"),
            models.UniqueConstraint(fields=["exam", "number"], name="domain_number"),
        ]

    def __str__(self) -> str:
        return f"{self.exam} {self.number} {self.key}"


class BlueprintDomain(models.Model):
    """What a blueprint calls a domain and how much it weighs; weights need not sum to 100."""

    blueprint = models.ForeignKey(Blueprint, models.CASCADE, related_name="domains")
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="printed")
    name = models.CharField(max_length=200)
    weight = models.DecimalField(max_digits=6, decimal_places=3)

    class Meta:
        ordering = ["domain__number"]
        constraints = [models.UniqueConstraint(fields=["blueprint", "domain"], name="blueprint_domain")]

    def __str__(self) -> str:
        return self.name


class Concept(models.Model):
    """A finer tag under a domain."""

    domain = models.ForeignKey(Domain, models.CASCADE, related_name="concepts")
    key = models.SlugField()
    name = models.CharField(max_length=100)

    class Meta:
        ordering = ["domain", "id"]
        constraints = [models.UniqueConstraint(fields=["domain", "key"], name="concept_key")]

    def __str__(self) -> str:
        return self.name


class StudyModule(models.Model):
    """A chapter of the study guide; ``html`` is derived from ``body``."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="modules")
    domain = models.ForeignKey(Domain, models.PROTECT, related_name="modules")
    number = models.PositiveSmallIntegerField()
    slug = models.SlugField()
    title = models.CharField(max_length=200)
    summary = models.TextField()
    body = models.TextField()
    html = models.TextField(editable=False)

    class Meta:
        ordering = ["exam", "number"]
        constraints = [
            models.UniqueConstraint(fields=["exam", "number"], name="module_number"),
            models.UniqueConstraint(fields=["exam", "slug"], name="module_slug"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"


class Kind(models.TextChoices):
    """How many options are right."""

    SINGLE = "single", "choose one"
    MULTIPLE = "multiple", "choose several"


class Difficulty(models.TextChoices):
    """The editor's label; says little until calibrated."""

    EASY = "easy", "easy"
    MEDIUM = "medium", "medium"
    HARD = "hard", "hard"


class Pool(models.TextChoices):
    """Open questions have a public page; reserved ones are met first in a mock."""

    OPEN = "open", "open"
    RESERVED = "reserved", "reserved"


class Question(models.Model):
    """The editable draft, and which version of it is live."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="questions")
    domain = models.ForeignKey(Domain, models.PROTECT, related_name="questions")
    concepts = models.ManyToManyField(Concept, related_name="questions")
    modules = models.ManyToManyField(StudyModule, related_name="questions", blank=True)
    key = models.SlugField(max_length=100, help_text="Permanent name in the bank's files.")
    number = models.PositiveIntegerField(null=True, blank=True, editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    difficulty = models.CharField(max_length=10, choices=Difficulty)
    pool = models.CharField(max_length=10, choices=Pool)
    title = models.CharField(max_length=120, help_text="Names the situation, never the answer.")
    stem = models.TextField()
    quick_answer = models.TextField()
    explanation = models.TextField()
    principle = models.TextField("key principle")
    trap = models.TextField("exam trap")
    detail = models.TextField("technical detail")
    key_concepts = models.JSONField(default=list)
    exam_tips = models.JSONField(default=list)
    takeaway = models.TextField("key takeaway")
    example = models.TextField("real-world example")
    second_reader = models.CharField(max_length=100, blank=True)
    second_read_on = models.DateField(null=True, blank=True)
    live_version = models.OneToOneField(
        "QuestionVersion",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="live_of",
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)
    loaded_digest = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        ordering = ["exam", "number", "id"]
        constraints = [
            models.UniqueConstraint(fields=["exam", "key"], name="question_key"),
            models.UniqueConstraint(fields=["exam", "number"], name="question_number"),
        ]
        indexes = [models.Index(fields=["exam", "domain", "pool"], name="question_pick")]

    def __str__(self) -> str:
        return f"{self.exam_id} {self.key}"

    def get_absolute_url(self) -> str:
        """The public page of an open question."""
        return reverse("question", args=[self.exam.slug, self.number, self.slug])

    @property
    def slug(self) -> str:
        """The readable part of the address."""
        return slugify(self.title)[:60].strip("-")


class Option(models.Model):
    """One option of the draft; its slot is permanent and never reused."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="options")
    slot = models.PositiveSmallIntegerField()
    text = models.TextField()
    is_right = models.BooleanField(default=False)
    tempts = models.TextField("why it tempts")
    why = models.TextField("why it is right or wrong")
    concept = models.ForeignKey(Concept, models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ["question", "slot"]
        constraints = [models.UniqueConstraint(fields=["question", "slot"], name="option_slot")]

    def __str__(self) -> str:
        return self.text


class Clue(models.Model):
    """A phrase of the stem that decides."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="clues")
    position = models.PositiveSmallIntegerField()
    phrase = models.CharField(max_length=300)
    why = models.TextField("why it matters")
    confirms = models.JSONField(default=list, help_text="Slots of the options it confirms.")

    class Meta:
        ordering = ["question", "position"]

    def __str__(self) -> str:
        return self.phrase


class QuestionSource(models.Model):
    """Where the facts were checked, and when."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="sources")
    title = models.CharField(max_length=200)
    url = models.URLField(max_length=500)
    as_of = models.DateField()

    class Meta:
        ordering = ["question", "id"]

    def __str__(self) -> str:
        return self.title


class Change(models.TextChoices):
    """What a new version changed, as its publisher states it."""

    FIRST = "first", "first version"
    TYPO = "typo", "wording"
    SEMANTIC = "semantic", "meaning"
    KEY = "key", "key"


class QuestionVersion(models.Model):
    """An immutable publication: the prompt's facts, and its HTML, which ``rerender`` rebuilds."""

    question = models.ForeignKey(Question, models.PROTECT, related_name="versions")
    number = models.PositiveSmallIntegerField()
    domain = models.ForeignKey(Domain, models.PROTECT)
    concepts = models.ManyToManyField(Concept)
    kind = models.CharField(max_length=10, choices=Kind)
    difficulty = models.CharField(max_length=10, choices=Difficulty)
    pool = models.CharField(max_length=10, choices=Pool)
    title = models.CharField(max_length=120)
    choose = models.PositiveSmallIntegerField()
    stem = models.TextField()
    options = models.JSONField(help_text="[{slot, text}] in slot order")
    change = models.CharField(max_length=10, choices=Change)
    change_note = models.TextField(blank=True)
    published_at = models.DateTimeField()
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    stem_html = models.TextField(editable=False)
    options_html = models.JSONField(editable=False, help_text="{slot: html}")

    class Meta:
        ordering = ["question", "number"]
        constraints = [models.UniqueConstraint(fields=["question", "number"], name="version_number")]

    def __str__(self) -> str:
        return f"{self.title} (version {self.number})"


class Hint(models.Model):
    """The clue words of a version: marked, with why each matters, never what it confirms."""

    version = models.OneToOneField(QuestionVersion, models.CASCADE, primary_key=True, related_name="hint")
    clues = models.JSONField(help_text="[{phrase, why}]")
    html: models.JSONField[Any, Any] = models.JSONField(editable=False, help_text="{stem, clues: [{phrase, why}]}")

    def __str__(self) -> str:
        return f"hint of {self.version_id}"


class Solution(models.Model):
    """The key, rationales and explanation of a version; the code of an open mock never joins it."""

    version = models.OneToOneField(QuestionVersion, models.CASCADE, primary_key=True, related_name="solution")
    key_mask = models.PositiveSmallIntegerField(help_text="bit = slot")
    text = models.JSONField(help_text="The facts, as written.")
    html: models.JSONField[Any, Any] = models.JSONField(editable=False)

    def __str__(self) -> str:
        return f"solution of {self.version_id}"
