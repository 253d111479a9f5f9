"""What answers say about questions. Derived: written by ``practice``, read by the admin."""

from __future__ import annotations

from django.db import models

from questions.catalogue.models import Exam
from questions.versions.models.versions import QuestionVersion

REST_BINS = 10
"""A multiple of CURVE_POINTS in health/rules.py. Finer bins would be empty at the fifty answers from which figures are
shown."""
SECONDS_BINS = (15, 30, 45, 60, 90, 120, 180, 240, 360)
"""Upper ends of the time bins; one more bin is for longer times."""


class VersionStatistics(models.Model):
    """Counts over the first exposures of a version and of versions that only reworded it.

    All are integers, so the order of sessions doesn't matter. ``n``, ``right`` and ``by_seconds`` are added to as
    sessions end. ``rest`` figures come from the newest calibration: a learner's rest is the share of learners who are
    less able, in thousandths, judged by this learner's other first exposures in any session.
    """

    # Counts, although they could be computed from the answers: a list of questions shows them, and computing each would
    # read the largest table.
    version = models.OneToOneField(
        QuestionVersion, models.CASCADE, primary_key=True, related_name="statistics", db_index=False
    )
    n = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)
    rest_n = models.PositiveIntegerField(default=0)
    rest_sum = models.PositiveBigIntegerField(default=0)
    rest_squares = models.PositiveBigIntegerField(default=0)
    rest_right_n = models.PositiveIntegerField(default=0)
    rest_right_sum = models.PositiveBigIntegerField(default=0)
    # Lists, since bins are read and written all together; a row for each bin would mean ten times as many rows.
    by_rest = models.JSONField(default=list, help_text="[[n, right]] in ten bins of the rank")
    by_seconds = models.JSONField(default=list, help_text="[n] in the bins of SECONDS_BINS")

    class Meta:
        verbose_name = "question statistics"
        verbose_name_plural = "question statistics"

    def __str__(self) -> str:
        return f"statistics of {self.version_id}: {self.right} of {self.n}"


class OptionStatistics(models.Model):
    """How often an option was chosen; ``rest`` as above, over those who chose it."""

    # Rows are only ever found by version and slot.
    pk = models.CompositePrimaryKey("version_id", "slot")
    version = models.ForeignKey(QuestionVersion, models.CASCADE, related_name="option_statistics", db_index=False)
    slot = models.PositiveSmallIntegerField()
    n = models.PositiveIntegerField(default=0)
    rest_n = models.PositiveIntegerField(default=0)
    rest_sum = models.PositiveBigIntegerField(default=0)
    by_rest = models.JSONField(default=list, help_text="[n] in ten bins of the rank")

    class Meta:
        ordering = ["version", "slot"]
        verbose_name_plural = "option statistics"

    def __str__(self) -> str:
        return f"option {self.slot} of {self.version_id}: {self.n}"


class Calibration(models.Model):
    """One run over an exam's first exposures. Runs are kept, because predictions are judged by what was known then."""

    exam = models.ForeignKey(Exam, models.CASCADE, related_name="calibrations")
    # The run that a prediction used is the newest one before it, found through this index.
    made_at = models.DateTimeField()
    answers = models.PositiveIntegerField()
    learners = models.PositiveIntegerField()
    log_likelihood = models.FloatField()
    centre = models.FloatField(help_text="Difficulty of a question labelled medium, in logits.")
    growth_mean = models.FloatField(help_text="Mean growth per first answer, in logits.")
    growth_variance = models.FloatField()
    ability_mean = models.FloatField(
        default=0, db_default=0, help_text="Mean ability of whoever answered; their deviation is 1."
    )
    newcomer_mean = models.FloatField(default=0, db_default=0, help_text="Mean ability of whoever comes next.")
    newcomer_error = models.FloatField(default=0, db_default=0, help_text="How well that mean is known.")
    # If it hasn't changed because nothing was answered or corrected, the night keeps the existing run.
    answers_digest = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="Of the answers and how they were marked."
    )

    class Meta:
        ordering = ["-made_at", "-id"]
        get_latest_by = ["made_at", "id"]
        indexes = [models.Index(fields=["exam", "-made_at"], name="calibration_newest")]

    def __str__(self) -> str:
        return f"calibration of {self.exam_id} on {self.made_at:%Y-%m-%d}: {self.answers} answers"


class ItemParameters(models.Model):
    """A calibration's result for a version: P = c + (1 - c) logistic(slope (ability - difficulty))."""

    calibration = models.ForeignKey(Calibration, models.CASCADE, related_name="items", db_index=False)
    # All runs are kept, so this table grows by a bank a night at most; a night without new answers adds none.
    version = models.ForeignKey(QuestionVersion, models.CASCADE, related_name="parameters")
    slope = models.FloatField()
    difficulty = models.FloatField()
    slope_error = models.FloatField()
    difficulty_error = models.FloatField()
    n = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "item parameters"
        constraints = [models.UniqueConstraint(fields=["calibration", "version"], name="item_parameters_once")]

    def __str__(self) -> str:
        return f"{self.version_id}: difficulty {self.difficulty:.2f}"


class ItemHealth(models.Model):
    """How the answers to a version, and to those that only reworded it, agree with ability; recomputed every night.

    With x an answer (1 right, 0 wrong), E its chance by a curve and the learner's other answers, and W = E (1 - E):
    ``squares`` is the sum of (x - E)^2, ``weight`` of W, ``spread`` of W - 4 W W over ``n`` first answers, by the curve
    the question had if all had one slope. ``surplus`` and ``variance`` are by its own
    (practice/measurement/health/rules.py).
    """

    version = models.OneToOneField(
        QuestionVersion, models.CASCADE, primary_key=True, related_name="health", db_index=False
    )
    # The scale of the figures below; on another run's scale they'd mean something else.
    calibration = models.ForeignKey(
        Calibration, models.CASCADE, null=True, help_text="Whose curve it is; none before there is one."
    )
    n = models.PositiveIntegerField(default=0)
    squares = models.FloatField(default=0)
    weight = models.FloatField(default=0)
    spread = models.FloatField(default=0)
    quarters = models.JSONField(
        default=list, help_text="[[year, quarter, shown, n, right, surplus, variance]], oldest first, UTC"
    )
    met_by = models.PositiveIntegerField(default=0, help_text="Learners to whom it was shown.")
    learners = models.PositiveIntegerField(
        default=0, help_text="Learners to whom any of the exam’s questions was shown."
    )
    information = models.FloatField(null=True, help_text="At the pass mark, in 1 / logit squared.")
    information_error = models.FloatField(null=True)

    class Meta:
        verbose_name_plural = "item health"

    def __str__(self) -> str:
        return f"health of {self.version_id}: {self.n} answers"
