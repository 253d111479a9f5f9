"""Review cards: derived from answers and turned flashcards; all of them can be deleted and rebuilt."""

from __future__ import annotations

from django.db import models

from courseiva.common.quick.columns import ShortFloatField, ShortForeignKey, ShortMomentField
from practice.learners.models import Learner
from questions.catalogue.models import Exam
from questions.versions.models.drafts import Question


class ReviewCard(models.Model):
    """When a missed or guessed unit comes back, by FSRS; ``question`` is the one answered first.

    A learner has a few hundred at most, which the primary key finds: other indexes would only take up space.
    """

    # There are about as many as answers to every second question, so the columns are short, and on PostgreSQL stored by
    # width (migration 0037).
    pk = models.CompositePrimaryKey("learner_id", "question_id")
    learner = ShortForeignKey(Learner, models.CASCADE, related_name="cards", db_index=False)
    exam = ShortForeignKey(Exam, models.CASCADE, db_index=False)
    question = ShortForeignKey(Question, models.CASCADE, db_index=False)
    stability = ShortFloatField(help_text="Days until the chance of recall falls to 90%.")
    difficulty = ShortFloatField(help_text="1 to 10.")
    reviewed_at = ShortMomentField()
    due_at = ShortMomentField()
    reviews = models.PositiveSmallIntegerField()
    lapses = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["due_at", "question"]

    def __str__(self) -> str:
        return f"card of {self.question_id}, due {self.due_at:%Y-%m-%d}"


class CardTurn(models.Model):
    """A flashcard that was turned, and whether the learner knew it: a fact from which review cards are derived."""

    learner = models.ForeignKey(Learner, models.CASCADE, related_name="turns", db_index=False)
    exam = models.ForeignKey(Exam, models.CASCADE, db_index=False)
    question = models.ForeignKey(Question, models.CASCADE, db_index=False)
    at = models.DateTimeField()
    knew = models.BooleanField()

    class Meta:
        verbose_name = "flashcard turn"
        verbose_name_plural = "flashcard turns"
        ordering = ["at", "id"]
        # Cards are made by replaying a learner's turns in the order of time.
        indexes = [models.Index(fields=["learner", "exam", "at"], name="card_turns")]

    def __str__(self) -> str:
        return f"turn of {self.question_id}"
