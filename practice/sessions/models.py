"""Sessions, their items, and late answers."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal

from django.db import models
from django.urls import reverse

from courseiva.common.quick.columns import (
    SameAsField,
    ShortForeignKey,
    ShortMomentField,
    SparseBooleanField,
    SparseCharField,
    SparseNumberField,
    SparseSmallField,
)
from courseiva.common.quick.indexes import IndexOnSqlite
from practice.learners.models import Learner
from questions.catalogue.models import Blueprint, Exam
from questions.versions.models.versions import QuestionVersion

GRACE = dt.timedelta(seconds=10)
"""For the answer that is on its way when time runs out. Longer would be time to think, so the page stops at zero all
the same."""


class Mode(models.TextChoices):
    DRILL = "drill", "drill"
    MOCK = "mock", "mock exam"
    REVIEW = "review", "review"
    CHECK = "check", "check"
    PAGE = "page", "answers on question pages"
    CONTRAST = "contrast", "contrast"
    MET = "met", "questions seen before a fresh start"
    TAKEN = "taken", "drill taken along"


UNLISTED = (Mode.PAGE, Mode.CONTRAST, Mode.MET)
"""Sessions that aren't in any list or player: single answers, given outside a session, and questions only seen."""


DRILLS = (Mode.DRILL, Mode.REVIEW, Mode.CHECK)
"""Only one of these is unfinished in an exam at a time: starting another ends it."""


class Ended(models.TextChoices):
    # The stored word is older than the label; changing it would rewrite the row of every session.
    SUBMITTED = "handed_in", "submitted"
    TIME = "time", "time ran out"
    KNOWN = "known", "the verdict was sure"


class PracticeSession(models.Model):
    """One session. The deadline is the server's; ``writer`` is the page that may save."""

    # Addresses use this. The row's number would reveal how many sessions there are, and tempt people to try the next
    # one.
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # PROTECT: a person is forgotten by blanking the learner's row (handover/forget.py). Deleting the row would take
    # answers out of every question's statistics. The index ``session_history`` begins with this column.
    learner = models.ForeignKey(Learner, models.PROTECT, related_name="sessions", db_index=False)
    exam = models.ForeignKey(Exam, models.PROTECT)
    blueprint = models.ForeignKey(Blueprint, models.PROTECT, null=True, blank=True)
    mode = models.CharField(max_length=8, choices=Mode)
    label = models.CharField(max_length=120, blank=True, help_text="The settings, in words.")
    started_at = models.DateTimeField()
    deadline = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    ended = models.CharField(max_length=10, choices=Ended, blank=True)
    discarded_at = models.DateTimeField(null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Before the time factor.")
    time_factor = models.DecimalField(max_digits=4, decimal_places=2, default=Decimal(1))
    pausable = models.BooleanField(default=False)
    paused_at = models.DateTimeField(null=True, blank=True)
    pauses = models.PositiveSmallIntegerField(default=0)
    paused_seconds = models.PositiveIntegerField(default=0)
    given_seconds = models.PositiveIntegerField(
        default=0,
        db_default=0,  # as ``withheld`` below
        help_text="Given back because the site was unavailable; the deadline includes it.",
    )
    reopened_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_seconds = models.PositiveIntegerField(
        default=0, db_default=0, help_text="For which it was closed by mistake; the deadline includes it."
    )
    feedback_each = models.BooleanField(default=False, help_text="A drill that marks each answer at once.")
    ask_confidence = models.BooleanField(default=False)
    writer = models.PositiveIntegerField(default=0)
    # Stored, although it follows from the items: lists of sessions show it without reading 60 items each.
    total = models.PositiveSmallIntegerField(default=0)
    score = models.PositiveSmallIntegerField(null=True, blank=True)
    analysed_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-started_at"]
        indexes = [
            # The last two are partial indexes for queues. Nearly every session is finished and analysed, so they stay
            # small for tasks that look every minute and every 20 seconds.
            models.Index(fields=["learner", "exam", "-started_at"], name="session_history"),
            models.Index(
                fields=["deadline"], condition=models.Q(finished_at=None, discarded_at=None), name="session_expiring"
            ),
            models.Index(
                fields=["finished_at"],
                condition=models.Q(analysed_at=None, finished_at__isnull=False),
                name="session_unanalysed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.mode} {self.uuid}"

    def get_absolute_url(self) -> str:
        """Offline drills have a single address, which works without a network."""
        is_away = self.mode == Mode.TAKEN and self.is_open
        return reverse("taken") if is_away else reverse("session", args=[self.uuid])

    @property
    def is_open(self) -> bool:
        """Whether it is neither finished nor discarded."""
        return self.finished_at is None and self.discarded_at is None

    @property
    def stood_seconds(self) -> int:
        """How long its clock was stopped, or should have been."""
        return self.paused_seconds + self.given_seconds + self.closed_seconds

    @property
    def awaits_resuming(self) -> bool:
        """Whether staff reopened it and its learner hasn't come back yet."""
        return self.paused_at is not None and self.paused_at == self.reopened_at

    def expired(self, now: dt.datetime) -> bool:
        """Whether it is past its deadline and grace period; a paused session's clock is stopped."""
        return self.deadline is not None and self.paused_at is None and now > self.deadline + GRACE


class Confidence(models.IntegerChoices):
    """How sure the learner is of an answer."""

    GUESS = 1, "Guessing"
    UNSURE = 2, "Unsure"
    SURE = 3, "Sure"


class MissClass(models.TextChoices):
    """Why an answer was missed, according to the learner."""

    KNOWLEDGE = "knowledge", "Didn’t know it"
    MISREAD = "misread", "Misread a clue"
    CHANGED = "changed", "Changed from right to wrong"
    TIME = "time", "Ran out of time"


class SessionItem(models.Model):
    """One question of a session and the answer the server has. Masks are by slot."""

    # A row number and its index would be more than a tenth of what a session may weigh: 10 kB, which
    # tests/soak/test_storage.py bounds (decision 0002). The price is that the admin can't register the model.
    pk = models.CompositePrimaryKey("session_id", "position")
    # On PostgreSQL, columns are stored by width (migration 0036), which leaves no gaps between them. A new one comes
    # last, so it should take one byte, or none while it is null. Most items of a finished session have 64 bytes, of
    # which 1 is free; with 8 more each, the session would take half a kilobyte more.
    session = ShortForeignKey(PracticeSession, models.CASCADE, related_name="items", db_index=False)
    position = models.PositiveSmallIntegerField()
    version = ShortForeignKey(QuestionVersion, models.PROTECT)
    # The order in which this learner saw the options, a hexadecimal digit for each slot. The page names options by
    # their place in this order. Slots follow how a question was written and could give the key away (decision 0003).
    option_order = models.CharField(max_length=14)
    selected = models.PositiveSmallIntegerField(default=0)
    # Masks fit in two bytes up to slot 14, which is why no question has more options.
    struck = SparseSmallField(default=0)
    first_selected = SameAsField(other="selected", default=0)
    changes = SparseSmallField(default=0)
    flagged = SparseBooleanField(default=False)
    confidence = models.PositiveSmallIntegerField(null=True, blank=True, choices=Confidence)
    hint_opened = SparseBooleanField(default=False)
    revealed = SparseBooleanField(default=False)
    seconds = models.PositiveIntegerField(default=0)
    writer = SparseNumberField(default=0)
    # With the writer, this orders saves: a batch that arrives late or twice never overwrites a newer one. Both are 0
    # again once a session is submitted, on all items but one (ending/finish.py).
    sequence = SparseNumberField(default=0)
    displayed_at = ShortMomentField(null=True, blank=True)
    answered_at = ShortMomentField(null=True, blank=True)
    checked_at = ShortMomentField(null=True, blank=True)
    # As of the draw, and never recomputed: whether a mock was fresh must not depend on what its learner did afterwards.
    seen_before = SparseBooleanField(default=False)
    variant_seen = SparseBooleanField(
        default=False,
        db_default=False,  # as ``withheld``
        help_text="The learner had seen another variant of this question, but not this one.",
    )
    # Null until marked. Stored, because statistics, calibration and predictions all read it; working out for every
    # answer whether it was the first would mean reading every learner's history each time.
    first_exposure = models.BooleanField(null=True, blank=True)
    # Null if not marked yet, or left out of the score.
    is_correct = models.BooleanField(null=True, blank=True)
    granted = SparseBooleanField(
        default=False,
        db_default=False,  # as ``withheld``
        help_text="Right for everybody, whatever was chosen: it counts in the score and says nothing of anybody.",
    )
    miss_class = SparseCharField(max_length=9, blank=True, choices=MissClass)
    withheld = SparseBooleanField(
        default=False,
        db_default=False,  # older code still writes rows during an upgrade
        help_text="Reserved and never displayed, so the result shows no solution.",
    )

    class Meta:
        ordering = ["session", "position"]
        # For a learner's answers to one question. SQLite, without statistics, goes through all the learner's sessions;
        # with this, it looks once in each. PostgreSQL goes by the version, and this would take a kilobyte a session.
        indexes = [IndexOnSqlite(fields=["session", "version"], name="item_in_session")]

    def __str__(self) -> str:
        return f"{self.session_id} item {self.position}"


class LateAnswer(models.Model):
    """An answer that arrived after the end: kept as it came, without changing an item or a score."""

    session = models.ForeignKey(PracticeSession, models.CASCADE, related_name="late_answers")
    position = models.PositiveSmallIntegerField()
    selected = models.PositiveSmallIntegerField()
    writer = models.PositiveIntegerField()
    sequence = models.PositiveIntegerField()
    received_at = models.DateTimeField()

    class Meta:
        ordering = ["received_at", "id"]
        constraints = [
            # The page resends what wasn't acknowledged again and again, but only one answer is stored.
            models.UniqueConstraint(fields=["session", "position", "writer", "sequence"], name="late_answer_once")
        ]

    def __str__(self) -> str:
        return f"late answer to {self.session_id} item {self.position}"
