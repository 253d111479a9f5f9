"""Learners, their notes and settings, and what they report about the real exam."""

from __future__ import annotations

from decimal import Decimal
from urllib.parse import urlencode

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from questions.catalogue.models import Exam, StudyModule
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion

UNTOLD = "UTC"
"""The time zone until a browser has reported one."""


class Learner(models.Model):
    """Who practises: a signed-in user, a guest known by a token, or no longer anybody."""

    # SET_NULL, not CASCADE: when an account is deleted, its answers stay in the statistics, on a row that names nobody.
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    # A hash of the cookie's token, so that nobody who reads the database can pose as a guest. Null if there is none: ""
    # would be unique and could occur only once.
    guest_key = models.CharField(max_length=64, null=True, blank=True, unique=True, editable=False)
    time_zone = models.CharField(max_length=64, default=UNTOLD, help_text="The last one the browser reported.")
    chosen_zone = models.CharField(
        max_length=64, blank=True, help_text="Chosen in the account; overrides the browser’s."
    )
    time_factor = models.DecimalField(
        max_digits=4,
        decimal_places=2,
        default=Decimal(1),
        help_text="Multiplies the time allowed in new sessions (1.5 adds half again); 0 means untimed.",
    )
    # A preference. No page looks up who prepares for an exam, so an index would only make writes slower.
    exam = models.ForeignKey(
        Exam, models.SET_NULL, null=True, blank=True, db_index=False, help_text="The exam this user is preparing for."
    )
    # On by default: if only a few people turned it on, a site would never reach the number of outcomes that its one
    # analysis needs (decision 0060).
    in_trial = models.BooleanField(
        default=True, db_default=True, help_text="Takes part in the variant trial (docs/evidence-plan.md)."
    )
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"learner {self.pk}"


class Adoption(models.Model):
    """A guest's learner merged into an account's: requests that the guest had under way find it through this."""

    # The primary key, because a late request knows nothing else about itself, and because a guest can join only one
    # account.
    guest_key = models.CharField(primary_key=True, max_length=64)
    learner = models.ForeignKey(Learner, models.CASCADE, related_name="adoptions")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"a guest joined learner {self.learner_id}"


class Star(models.Model):
    """A question a learner wants to find again."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="stars")
    question = models.ForeignKey(Question, models.CASCADE)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-made_at"]
        # Here and below, the ``_once`` constraints make a second press, from another tab or over a bad connection,
        # leave one row.
        constraints = [models.UniqueConstraint(fields=["learner", "question"], name="star_once")]

    def __str__(self) -> str:
        return f"star of {self.question_id}"


class Note(models.Model):
    learner = models.ForeignKey(Learner, models.CASCADE, related_name="notes")
    question = models.ForeignKey(Question, models.CASCADE)
    text = models.TextField(max_length=4000)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "question"], name="note_once")]

    def __str__(self) -> str:
        return f"note on {self.question_id}"


class Highlight(models.Model):
    """Words of a stem or study module that a learner has highlighted, tied to the text at that time."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="highlights")
    # Two columns rather than one generic key: the database can then check that exactly one is set, and join either.
    # Both are only read by learner, whose index finds them.
    version = models.ForeignKey(QuestionVersion, models.PROTECT, null=True, db_index=False)
    module = models.ForeignKey(StudyModule, models.CASCADE, null=True, db_index=False)
    module_text = models.CharField(max_length=64, blank=True, help_text="The digest of the module’s text it stood in.")
    text = models.CharField(max_length=300)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["made_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(version__isnull=False, module=None) | models.Q(version=None, module__isnull=False),
                name="highlight_of_one",
            ),
            models.UniqueConstraint(fields=["learner", "version", "text"], name="highlight_of_version_once"),
            models.UniqueConstraint(fields=["learner", "module", "text"], name="highlight_of_module_once"),
        ]

    def __str__(self) -> str:
        return f"highlight {self.pk}"


class ModuleRead(models.Model):
    """A module of the study guide that a learner has marked as read."""

    # Without an index of its own, as in the models below: the unique constraint begins with the learner and serves as
    # its index.
    learner = models.ForeignKey(Learner, models.CASCADE, related_name="modules_read", db_index=False)
    module = models.ForeignKey(StudyModule, models.CASCADE)
    read_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "module"], name="module_read_once")]

    def __str__(self) -> str:
        return f"{self.learner_id} read {self.module_id}"


class SectionRead(models.Model):
    """A section of a module that a learner has marked as read, by its anchor, which a new text may no longer have."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="sections_read", db_index=False)
    module = models.ForeignKey(StudyModule, models.CASCADE)
    # Not a foreign key to a table of sections: modules are loaded from files, and a section is known only by its
    # anchor.
    anchor = models.CharField(max_length=200)
    read_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "module", "anchor"], name="section_read_once")]

    def __str__(self) -> str:
        return f"{self.learner_id} read {self.module_id}#{self.anchor}"


class ExamPlan(models.Model):
    """When a learner takes the real exam, and how many minutes a day they have.

    Anyone with ``feed_token`` can read the plan as a calendar. ``remind_on`` has a bit for each weekday, from Monday;
    anyone with ``reminder_token`` can end the reminders.
    """

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="plans", db_index=False)
    exam = models.ForeignKey(Exam, models.CASCADE)
    exam_date = models.DateField(null=True, blank=True)
    minutes_a_day = models.PositiveSmallIntegerField(null=True, blank=True)
    told_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="When the outcome was told.")
    # Null until its learner asks for a feed, and again after they end it, so that a calendar that got into the wrong
    # hands can be cut off.
    feed_token = models.UUIDField(null=True, unique=True, editable=False)
    remind_on = models.PositiveSmallIntegerField(default=0, db_default=0)
    # Separate from the feed's, because it is mailed: anybody who gets hold of a mail can end the reminders but read
    # nothing.
    reminder_token = models.UUIDField(null=True, unique=True, editable=False)
    reminded_on = models.DateField(null=True, editable=False, help_text="The learner's day of the last look.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "exam"], name="plan_once")]
        # Partial, because most plans ask for no reminder, and the task looks for those that do four times an hour.
        indexes = [models.Index(fields=["id"], name="plan_to_remind", condition=models.Q(remind_on__gt=0))]

    def __str__(self) -> str:
        return f"plan of {self.learner_id} for {self.exam_id}"


class DrillPreset(models.Model):
    """A drill setting saved under a name: the fields of its form, as a query string."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="presets", db_index=False)
    exam = models.ForeignKey(Exam, models.CASCADE, db_index=False)
    name = models.CharField(max_length=60)
    # Stored as a URL would hold them, not in columns: a preset then ages like an old link, and the form can read both
    # (decision 0032).
    fields = models.JSONField(default=list)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["learner", "exam", "name"], name="drill_preset_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def address(self) -> str:
        """The URL of the builder filled with it."""
        pairs = [*map(tuple, self.fields), ("name", self.name), ("preset", self.pk)]
        return f"{reverse('builder', args=[self.exam.slug])}?{urlencode(pairs)}"

    @property
    def filled(self) -> list[tuple[str, str]]:
        """The fields to start it with; they expect the number of questions asked for, so that having fewer is announced
        first."""
        size = dict(self.fields).get("size", "10")
        return [*self.fields, ("expects", size)]


class FreshStart(models.Model):
    """An exam a learner started afresh, while that can be undone; ``archive`` is a nameless learner with the old work.

    This row is the only link between the two, and is deleted when undo is no longer possible.
    """

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="fresh_starts")
    exam = models.ForeignKey(Exam, models.CASCADE, db_index=False)
    # A learner, not a flag on sessions: every read begins with the learner, so none of them needs to know about
    # archives (decision 0058).
    archive = models.OneToOneField(Learner, models.CASCADE, related_name="archive_of")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-id"]
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.learner_id} started {self.exam_id} afresh"


class Outcome(models.TextChoices):
    """How the real exam went, as reported by the learner."""

    PASSED = "passed", "Passed"
    NOT_PASSED = "not_passed", "Not passed"
    DID_NOT_SIT = "did_not_sit", "I didn’t take it"
    NOT_SAID = "not_said", "I’d rather not say"


class ToldOutcome(models.Model):
    """A real exam's outcome next to the prediction, without the name: nothing links it to the learner."""

    exam = models.ForeignKey(Exam, models.CASCADE)
    # No key, no time and no exact chance, on purpose: any of them could be matched with the learner's own rows.
    band = models.PositiveSmallIntegerField(help_text="Tenth of the predicted chance, 0 to 9.")
    outcome = models.CharField(max_length=12, choices=Outcome)
    month = models.DateField(help_text="The first of the month it was told in.")

    class Meta:
        ordering = ["month", "id"]
        verbose_name = "reported outcome"

    def __str__(self) -> str:
        return f"{self.outcome} in band {self.band}"


class GuestNetwork(models.Model):
    """A network that guests came from. Its row is the lock for counting their mocks."""

    key = models.CharField(max_length=32, primary_key=True, editable=False)
    seen_at = models.DateTimeField(editable=False)

    class Meta:
        verbose_name = "guest network"
        verbose_name_plural = "guest networks"

    def __str__(self) -> str:
        return f"network {self.key[:8]}"


class GuestAct(models.Model):
    """A guest's cookie was issued or, with ``session``, a mock started, ``reserved`` if it has reserved questions."""

    network = models.ForeignKey(GuestNetwork, models.CASCADE, related_name="acts", db_index=False)
    at = models.DateTimeField()
    session = models.OneToOneField("practice.PracticeSession", models.CASCADE, null=True, related_name="guest_act")
    reserved = models.BooleanField(default=False)

    class Meta:
        verbose_name = "guest event"
        verbose_name_plural = "guest events"
        # Each start of a guest's mock counts what the network did in the last day.
        indexes = [models.Index(fields=["network", "at"], name="guest_act_by_network")]

    def __str__(self) -> str:
        return f"{self.network_id[:8]} at {self.at}"
