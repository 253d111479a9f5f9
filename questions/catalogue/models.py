"""Exams: their blueprints, domains and concepts, and the study guide."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse

WORDS_A_MINUTE = 200
# These are used in URLs where an exam's slug would be, so no exam can have one as its slug.
RESERVED_SLUGS = frozenset({"sessions", "history", "trial"})


def refuse_reserved_slug(value: str) -> None:
    """``/practice/sessions/``, ``/practice/history/`` and ``/practice/trial/`` are taken."""
    if value in RESERVED_SLUGS:
        raise ValidationError(f"“{value}” is an address of the site and cannot name an exam.")


class ExamQuerySet(models.QuerySet["Exam"]):
    def listed(self) -> ExamQuerySet:
        """In the operator's order, for lists that people read; exams without a place come last.

        This isn't the default order: a lock on something in an exam would then lock the exam's row too.
        """
        return self.order_by(models.F("place").asc(nulls_last=True), "pk")


class Exam(models.Model):
    slug = models.SlugField(unique=True, validators=[refuse_reserved_slug])
    code = models.CharField(max_length=20)
    name = models.CharField(max_length=200)
    vendor = models.CharField(max_length=100)
    summary = models.TextField()
    guide_url = models.URLField()
    retake_days = models.JSONField(default=list, help_text="Days to wait after the first, second … failed attempt.")
    # Stored, not counted from the questions: a number stays in links and mails, so it's never given out again, even
    # after its question is gone.
    highest_number = models.PositiveIntegerField(default=0, editable=False)
    # Null is allowed and sorts last, so that a new exam doesn't mean renumbering the others.
    place = models.PositiveSmallIntegerField("position", null=True, blank=True)

    objects = ExamQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("exam", args=[self.slug])


class Blueprint(models.Model):
    """A dated exam guide: number of questions, time, and the domains' weights."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="blueprints")
    # An exam has several, because results keep the guide they were made under when the vendor changes it.
    key = models.SlugField()
    name = models.CharField(max_length=100)
    effective_from = models.DateField()
    # A flag, not the latest date: a guide is loaded before it comes into force, so that learners can compare.
    is_current = models.BooleanField(default=False)
    question_count = models.PositiveSmallIntegerField()
    minutes = models.PositiveSmallIntegerField()
    pass_mark = models.PositiveSmallIntegerField(help_text="Percentage of a mock here; vendors seldom publish theirs.")
    # Price, languages and the like differ from vendor to vendor and are only ever printed, so they have no columns.
    logistics = models.JSONField(default=dict, blank=True, help_text="{fact: {value ..., sources: [n]}}")
    outline_sources = models.JSONField(default=list, blank=True, help_text="[{n, title, url, opened}]")
    changed = models.JSONField(default=dict, blank=True, help_text="What the outline added, removed and renamed.")

    class Meta:
        ordering = ["effective_from"]
        constraints = [
            models.UniqueConstraint(fields=["exam", "key"], name="blueprint_key"),
            models.UniqueConstraint(
                # Pages ask for the current guide and expect one. Loading a new one while learners start mocks must not
                # leave two for a moment.
                fields=["exam"],
                condition=models.Q(is_current=True),
                name="one_current_blueprint_per_exam",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.exam} {self.name}"


class Domain(models.Model):
    """A part of an exam. Its key and number are permanent; its printed name belongs to the blueprint."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="domains")
    # Separate from the printed name and number, which vendors change from guide to guide: readiness by domain carries
    # on across guides.
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
    """A domain's name and weight in a blueprint; weights needn't sum to 100."""

    blueprint = models.ForeignKey(Blueprint, models.CASCADE, related_name="domains")
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="printed")
    number = models.CharField(max_length=10, blank=True, help_text="Section number in the vendor's outline.")
    name = models.CharField(max_length=200)
    # Decimal, as printed: shares of a mock are allocated exactly, and a float's last digit could move a question.
    weight = models.DecimalField(max_digits=6, decimal_places=3)

    class Meta:
        ordering = ["domain__number"]
        constraints = [models.UniqueConstraint(fields=["blueprint", "domain"], name="blueprint_domain")]

    def __str__(self) -> str:
        return self.name


class Objective(models.Model):
    """An entry of a blueprint's outline under a domain: an objective, or one of its points, which has a parent."""

    blueprint = models.ForeignKey(Blueprint, models.CASCADE, related_name="objectives")
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="objectives")
    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="points")
    # Stored, because as text 1.10 sorts before 1.9.
    place = models.PositiveSmallIntegerField(help_text="Order in the outline; 1.10 comes after 1.9.")
    # Text, since vendors write 2.10 and 2.2.a. Questions refer to it by this number, not by a key, so that drafts
    # survive a reload of the guide.
    number = models.CharField(
        max_length=10, help_text="The vendor's number, such as 2.2; our own letters mark its points: 2.2.a."
    )
    name = models.CharField(max_length=200, blank=True, help_text="As printed; points don't have one.")
    words = models.TextField(help_text="What is tested, in our own words.")
    products = models.JSONField(default=list, blank=True, help_text="Product names as printed.")

    class Meta:
        ordering = ["blueprint", "place"]
        constraints = [models.UniqueConstraint(fields=["blueprint", "number"], name="objective_number")]

    def __str__(self) -> str:
        return f"{self.number} {self.name or self.words}"


class Concept(models.Model):
    domain = models.ForeignKey(Domain, models.CASCADE, related_name="concepts")
    key = models.SlugField()
    name = models.CharField(max_length=100)

    class Meta:
        ordering = ["domain", "id"]
        constraints = [models.UniqueConstraint(fields=["domain", "key"], name="concept_key")]

    def __str__(self) -> str:
        return self.name


class GlossaryTerm(models.Model):
    """A product from the glossary file, for the page; texts get their names when they are loaded."""

    key = models.SlugField(max_length=100, unique=True)
    name = models.CharField(max_length=100)
    former = models.CharField(max_length=100, blank=True)
    what = models.TextField(blank=True, help_text="What it is, in our own words.")
    status = models.CharField(max_length=10)
    successor = models.CharField(max_length=100, blank=True)
    ends = models.DateField(null=True, blank=True)
    source = models.URLField(max_length=500, blank=True, help_text="The page that says its status or its new name.")
    checked_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return f"{reverse('glossary')}#{self.key}"


class ModuleQuerySet(models.QuerySet["StudyModule"]):
    def lines(self) -> ModuleQuerySet:
        """For lists, without the long texts."""
        return self.defer("body", "html", "sources", "notebook")


class StudyModule(models.Model):
    """A chapter of the study guide, from a file; ``html`` is derived from ``body``."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="modules")
    # PROTECT: if a guide drops a domain, somebody must deal with its chapters before it is loaded; they mustn't just
    # vanish.
    domain = models.ForeignKey(Domain, models.PROTECT, related_name="modules")
    number = models.PositiveSmallIntegerField()
    slug = models.SlugField()
    title = models.CharField(max_length=200)
    summary = models.TextField()
    body = models.TextField()
    html = models.JSONField(default=dict, editable=False)
    words = models.PositiveIntegerField(default=0, help_text="Words in prose and tables; code isn't counted.")
    sources = models.JSONField(default=list, help_text="Each with title, address and as-of date.")
    notebook = models.TextField(blank=True, help_text="The text of the .ipynb file.")
    # The file's digest: an unchanged file is skipped, so that loading the bank twice costs little and changes no date.
    loaded_digest = models.CharField(max_length=64, blank=True, editable=False)
    changed_at = models.DateTimeField(null=True, editable=False, help_text="When a changed file was last loaded.")

    objects = ModuleQuerySet.as_manager()

    class Meta:
        ordering = ["exam", "number"]
        constraints = [
            models.UniqueConstraint(fields=["exam", "number"], name="module_number"),
            models.UniqueConstraint(fields=["exam", "slug"], name="module_slug"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.title}"

    @property
    def minutes(self) -> int:
        """How long it takes to read, at 200 words a minute."""
        return max(1, round(self.words / WORDS_A_MINUTE))

    @property
    def notebook_name(self) -> str:
        return f"{self.number:02}-{self.slug}.ipynb"
