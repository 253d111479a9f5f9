"""Rows derived from learners' answers; all of them can be deleted and rebuilt."""

from __future__ import annotations

from django.db import models

from practice.learners.models import Learner
from practice.sessions.models import PracticeSession
from questions.catalogue.models import Exam
from questions.versions.statistics.models import Calibration


class ReadinessSnapshot(models.Model):
    """The prediction after a session, with the calibration of that time.

    ``chance`` is the probability of reaching the practice pass mark on a fresh mock; ``low`` and ``high`` bound the
    central 80% of its scores. All three are empty if there were too few answers.
    """

    # The session's key is the primary key: there is one row for each, written by upsert, and no second index on a table
    # that grows with every session.
    session = models.OneToOneField(
        PracticeSession, models.CASCADE, primary_key=True, related_name="snapshot", db_index=False
    )
    learner = models.ForeignKey(Learner, models.CASCADE, related_name="snapshots", db_index=False)
    exam = models.ForeignKey(Exam, models.CASCADE)
    calibration = models.ForeignKey(Calibration, models.SET_NULL, null=True)
    at = models.DateTimeField()
    answers = models.PositiveIntegerField(help_text="First exposures.")
    chance = models.FloatField(null=True)
    low = models.PositiveSmallIntegerField(null=True)
    high = models.PositiveSmallIntegerField(null=True)
    count = models.PositiveSmallIntegerField(help_text="Questions in the predicted mock.")

    class Meta:
        ordering = ["at", "session"]
        # Read for a learner's trend, and once more when the learner says how the exam went.
        indexes = [models.Index(fields=["learner", "exam", "at"], name="snapshot_of_learner")]

    def __str__(self) -> str:
        return f"snapshot after {self.session_id}"


class Forecast(models.Model):
    """A prediction with the later fresh mock that tested it, or that was ``abandoned`` and tested nothing."""

    # Stored with the result, not looked up: a forecast is judged as it was made, whatever we know by now.
    session = models.OneToOneField(
        PracticeSession, models.CASCADE, primary_key=True, related_name="forecast", db_index=False
    )
    exam = models.ForeignKey(Exam, models.CASCADE)
    answers = models.PositiveIntegerField(null=True, help_text="First exposures; empty if it was made without them.")
    abandoned = models.BooleanField(default=False, db_default=False, help_text="Nothing was answered, or it was left.")
    chance = models.FloatField()
    low = models.PositiveSmallIntegerField()
    high = models.PositiveSmallIntegerField()
    score = models.PositiveSmallIntegerField()
    passed = models.BooleanField()

    class Meta:
        verbose_name = "prediction"
        verbose_name_plural = "predictions"
        ordering = ["session"]

    def __str__(self) -> str:
        return f"{self.chance:.2f} predicted before {self.session_id}"


class Standing(models.Model):
    """Where a learner stands in an exam at a given time; refreshed after each session and every night."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="standings", db_index=False)
    exam = models.ForeignKey(Exam, models.CASCADE)
    as_of = models.DateTimeField()
    answers = models.PositiveIntegerField(help_text="First exposures, which count fully.")
    other_answers = models.PositiveIntegerField(help_text="Repeats, hints and answers on question pages.")
    chance = models.FloatField(null=True)
    low = models.PositiveSmallIntegerField(null=True)
    high = models.PositiveSmallIntegerField(null=True)
    count = models.PositiveSmallIntegerField()
    # Not rows: these are written and read as a whole, with the standing, and never searched.
    domains = models.JSONField(default=list, help_text="[{domain, n, share, low, high, gain}]")
    # Texts, not JSON: these are compact, and no query looks into them.
    tally = models.TextField(blank=True, default="", db_default="", help_text="The answers counted; empty: not yet.")
    misses = models.TextField(
        blank=True, default="", db_default="", help_text="The misses by reason; empty: to be counted."
    )

    class Meta:
        verbose_name = "current readiness"
        verbose_name_plural = "current readiness"
        constraints = [models.UniqueConstraint(fields=["learner", "exam"], name="standing_once")]
        # The nightly refresh takes the oldest first, so that a learner it doesn't reach comes first in the next night.
        indexes = [models.Index(fields=["as_of"], name="standing_age")]

    def __str__(self) -> str:
        return f"standing of {self.learner_id} in {self.exam_id}"


class HonestyFigures(models.Model):
    """The calibration page's figures for an exam, computed at night from all tested predictions."""

    # Stored, since the public page would otherwise read every tested prediction and compute its intervals at each view
    # (decision 0057).
    exam = models.OneToOneField(Exam, models.CASCADE, primary_key=True, related_name="honesty")
    figures = models.JSONField(editable=False)
    as_of = models.DateTimeField(editable=False)

    class Meta:
        verbose_name = "prediction accuracy"
        verbose_name_plural = "prediction accuracy"

    def __str__(self) -> str:
        return f"honesty in {self.exam_id} as of {self.as_of:%Y-%m-%d}"
