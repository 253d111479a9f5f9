"""One miss in the trial: the assignment, and the prediction its outcome is compared with."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from practice.learners.models import Learner
from practice.learners.trial.rules import CONTRAST, PLAIN
from questions.catalogue.models import Exam
from questions.versions.models.drafts import Family, Question


class TrialMiss(models.Model):
    """A draw, stored when the miss was marked. The outcome has no column: it is the learner's answer to ``kept``."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="trial_misses", db_index=False)
    exam = models.ForeignKey(Exam, models.CASCADE, db_index=False)
    family = models.ForeignKey(Family, models.CASCADE, db_index=False)
    missed = models.ForeignKey(Question, models.CASCADE, related_name="+", db_index=False)
    kept = models.ForeignKey(
        Question, models.CASCADE, related_name="+", db_index=False, help_text="Kept back for three days."
    )
    plain = models.ForeignKey(
        Question, models.CASCADE, related_name="+", db_index=False, help_text="Takes the variant’s place in one arm."
    )
    arm = models.CharField(max_length=8, choices=[(CONTRAST, "contrast"), (PLAIN, "plain question")])
    drawn_at = models.DateTimeField()
    plan = models.CharField(max_length=64, help_text="The hash of the plan it was drawn under.")
    forecast = models.FloatField(null=True)
    forecast_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["drawn_at", "id"]
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # Only one draw: a second one would offer variants that the first had already shown.
            models.UniqueConstraint(fields=["learner", "family"], name="trial_once")
        ]
        indexes: ClassVar[list[models.Index]] = [
            # An index for the queue: every five minutes the task looks for draws whose forecast was lost, and nearly
            # always finds none.
            models.Index(fields=["drawn_at"], condition=models.Q(forecast=None), name="trial_unforecast"),
            models.Index(fields=["exam", "plan"], name="trial_of_exam"),
        ]

    def __str__(self) -> str:
        return f"{self.arm} drawn for {self.learner_id}, family {self.family_id}"
