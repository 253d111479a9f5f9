from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.text import slugify

from questions.catalogue.models import Concept, Domain, Exam, StudyModule


class Kind(models.TextChoices):
    SINGLE = "single", "choose one"
    MULTIPLE = "multiple", "choose several"


class Difficulty(models.TextChoices):
    """The editor's label; says little until calibrated."""

    EASY = "easy", "easy"
    MEDIUM = "medium", "medium"
    HARD = "hard", "hard"


class Pool(models.TextChoices):
    """Public questions have a public page; reserved ones are first shown in a mock."""

    PUBLIC = "open", "public"
    RESERVED = "reserved", "reserved"


class Desk(models.TextChoices):
    """The draft's state on the desk; the live version isn't affected."""

    NOTHING = "nothing", "no draft"
    DRAFT = "draft", "draft"
    REVIEW = "review", "in review"
    SENT_BACK = "sent_back", "sent back"


class Family(models.Model):
    """Questions that share their options and all of the stem except one clause, which changes the key.

    Each is an ordinary question whose rows have its whole text. This row only has what none of them can say alone; code
    that writes them keeps what they share the same (``questions/versions/rules/family.py``).
    """

    # No pool, domain or kind here: they would have to agree with each question's, and one day they wouldn't (decision
    # 0012).
    exam = models.ForeignKey(Exam, models.CASCADE, related_name="families")
    key = models.SlugField("permanent name", max_length=100, help_text="Permanent name in the bank’s files.")
    stem = models.TextField(help_text="The shared stem, with {clause} where the questions differ.")

    class Meta:
        ordering = ["exam", "key"]
        verbose_name_plural = "families"
        constraints = [models.UniqueConstraint(fields=["exam", "key"], name="family_key")]

    def __str__(self) -> str:
        return f"{self.exam_id} {self.key}"


class Question(models.Model):
    """The editable draft, and which version of it is live."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="questions")
    # PROTECT: statistics and readiness are by domain, so one that has questions can't just disappear.
    domain = models.ForeignKey(Domain, models.PROTECT, related_name="questions")
    concepts = models.ManyToManyField(Concept, related_name="questions")
    modules = models.ManyToManyField(StudyModule, related_name="questions", blank=True)
    # Numbers, not foreign keys: a new guide brings new rows, and drafts mustn't lose their references because of that.
    objectives = models.JSONField(default=list, blank=True, help_text="Numbers in the vendor's outline, as in 2.2.a.")
    sections = models.JSONField(default=list, blank=True, help_text="Sections of its modules: module#section.")
    # PROTECT: deleting a family would leave questions whose stem has a hole.
    family = models.ForeignKey(Family, models.PROTECT, null=True, blank=True, related_name="questions")
    place = models.PositiveSmallIntegerField(default=0, editable=False, help_text="Position in the family.")
    clause = models.TextField(blank=True, help_text="The text that replaces {clause} in the family's stem.")
    # In addition to the number: files name a question before it's published, and with something that people can read in
    # a diff.
    key = models.SlugField(max_length=100, help_text="Permanent name in the bank's files.")
    number = models.PositiveIntegerField(null=True, blank=True, editable=False)
    kind = models.CharField(max_length=10, choices=Kind)
    difficulty = models.CharField(max_length=10, choices=Difficulty)
    pool = models.CharField(max_length=10, choices=Pool)
    title = models.CharField(max_length=120, help_text="Names the topic, never the answer.")
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
    # Copied from the bank's files, for the page: no query ever asks for a single reading.
    readings = models.JSONField(
        default=list, editable=False, help_text="By day: how many readers answered the prompt alone, how many rightly."
    )
    # On the question, not as a flag on versions, so that two versions can't both be live.
    live_version = models.OneToOneField(
        "QuestionVersion",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="live_of",
    )
    # Times rather than states: withdrawing changes nothing else, can be undone, and never waits for the desk.
    withdrawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True, editable=False)
    retired_why = models.TextField(blank=True, editable=False, help_text="What its page says of it.")
    # For the page of a retired question, which old links still reach.
    successor = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, editable=False, related_name="+")
    desk = models.CharField("draft status", max_length=10, choices=Desk, default=Desk.NOTHING, editable=False)
    # Compared with the revision a page was rendered from, so that nobody overwrites what they haven't seen (decision
    # 0008).
    revision = models.PositiveIntegerField(
        default=0, editable=False, help_text="How many times the draft has been saved."
    )
    changed_at = models.DateTimeField(null=True, blank=True, editable=False)
    # For this draft alone: nobody who worked on it may publish it. Publishing clears the list; the history keeps it.
    authors = models.ManyToManyField(
        settings.AUTH_USER_MODEL, blank=True, editable=False, help_text="People who worked on the current draft."
    )
    recheck_after = models.DateField(null=True, blank=True, help_text="When to recheck its facts.")
    loaded_digest = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        ordering = ["exam", "number", "id"]
        constraints = [
            models.UniqueConstraint(fields=["exam", "key"], name="question_key"),
            # The last guard of public addresses; normally the exam's lock, under which numbers are given out, is
            # enough.
            models.UniqueConstraint(fields=["exam", "number"], name="question_number"),
            models.CheckConstraint(
                condition=models.Q(clause="") | models.Q(family__isnull=False), name="question_clause"
            ),
        ]
        indexes = [
            models.Index(fields=["exam", "domain", "pool"], name="question_pick"),
            # For the desk's lists. The indexes with a condition stay small in a bank of thousands, where few questions
            # wait.
            models.Index(fields=["desk", "changed_at"], name="question_desk"),
            models.Index(
                fields=["withdrawn_at"], condition=models.Q(withdrawn_at__isnull=False), name="question_withdrawn"
            ),
            models.Index(fields=["retired_at"], condition=models.Q(retired_at__isnull=False), name="question_retired"),
            models.Index(fields=["-changed_at", "-id"], name="question_changed"),
            models.Index(
                fields=["recheck_after"], condition=models.Q(recheck_after__isnull=False), name="question_recheck"
            ),
        ]
        permissions = [("publish_question", "Can publish other people's drafts or send them back")]

    def __str__(self) -> str:
        return f"{self.exam_id} {self.key}"

    def get_absolute_url(self) -> str:
        return reverse("question", args=[self.exam.slug, self.number, self.slug])

    @property
    def slug(self) -> str:
        return slugify(self.title)[:60].strip("-")


class Option(models.Model):
    """One option of the draft; its slot is permanent and never reused."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="options")
    # An option has its own number because answers are stored as masks of slots: an option that moves or is reworded
    # must stay the same one.
    slot = models.PositiveSmallIntegerField()
    position = models.PositiveSmallIntegerField(default=0, help_text="Order in the editor.")
    text = models.TextField()
    is_right = models.BooleanField(default=False)
    tempts = models.TextField("why it tempts")
    why = models.TextField("why it is right or wrong")
    right_if = models.TextField(
        "right if", blank=True, help_text="The one change to the scenario that would make it right."
    )
    never = models.TextField(
        "never right", blank=True, help_text="The misconception behind it, if no change would make it right."
    )
    concept = models.ForeignKey(Concept, models.SET_NULL, null=True, blank=True)

    class Meta:
        ordering = ["question", "position", "slot"]
        constraints = [
            models.UniqueConstraint(fields=["question", "slot"], name="option_slot"),
            # Either some change makes an option right or none does; with both fields filled, the page would contradict
            # itself.
            models.CheckConstraint(condition=models.Q(right_if="") | models.Q(never=""), name="option_right_if"),
        ]

    def __str__(self) -> str:
        return self.text


class Clue(models.Model):
    question = models.ForeignKey(Question, models.CASCADE, related_name="clues")
    position = models.PositiveSmallIntegerField()
    phrase = models.CharField(max_length=300)
    why = models.TextField("why it matters")
    confirms = models.JSONField(default=list, help_text="Slots of the options it confirms.")
    rules_out = models.JSONField(default=list, blank=True, help_text="Slots of the options it rules out.")

    class Meta:
        ordering = ["question", "position"]

    def __str__(self) -> str:
        return self.phrase


class QuestionSource(models.Model):
    question = models.ForeignKey(Question, models.CASCADE, related_name="sources")
    title = models.CharField(max_length=200)
    url = models.URLField(max_length=500, blank=True, help_text="Empty for what is the author’s own.")
    as_of = models.DateField(null=True, blank=True, help_text="When it was last opened; empty if it never was.")
    says = models.TextField(blank=True, help_text="What it says that settles the answer, in our own words.")

    class Meta:
        ordering = ["question", "id"]

    def __str__(self) -> str:
        return self.title
