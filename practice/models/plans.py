"""What a learner tells about the real exam."""

from __future__ import annotations

from django.db import models

from practice.models.learners import Learner
from questions.models import Exam


class ExamPlan(models.Model):
    """When a learner sits the real exam, and how many minutes a day they have."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="plans", db_index=False)
    exam = models.ForeignKey(Exam, models.CASCADE)
    exam_date = models.DateField(null=True, blank=True)
    minutes_a_day = models.PositiveSmallIntegerField(null=True, blank=True)
    told_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="When the outcome was told.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["learner", "exam"], name="plan_once")]

    def __str__(self) -> str:
        return f"plan of {self.learner_id} for {self.exam_id}"


class Outcome(models.TextChoices):
    """How the real exam went, as its taker tells it."""

    PASSED = "passed", "Passed"
    NOT_PASSED = "not_passed", "Not passed"
    DID_NOT_SIT = "did_not_sit", "I did not sit it"
    NOT_SAID = "not_said", "I would rather not say"


class ToldOutcome(models.Model):
    """An outcome of the real exam beside what was predicted, without the name: nothing leads back to the learner."""

    exam = models.ForeignKey(Exam, models.CASCADE)
    band = models.PositiveSmallIntegerField(help_text="Tenth of the predicted chance, 0 to 9.")
    outcome = models.CharField(max_length=12, choices=Outcome)
    month = models.DateField(help_text="The first of the month it was told in.")

    class Meta:
        ordering = ["month", "id"]

    def __str__(self) -> str:
        return f"{self.outcome} in band {self.band}"
