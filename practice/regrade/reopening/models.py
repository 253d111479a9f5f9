"""Who reopened which session, when and why, and what its result was before."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from practice.sessions.models import PracticeSession


class Reopening(models.Model):
    """One reopening; ``minutes`` is what the learner had left from then on."""

    session = models.ForeignKey(PracticeSession, models.CASCADE, related_name="reopenings")
    minutes = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=200, help_text="For the record; the learner doesn’t see it.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, verbose_name="reopened by")
    made_at = models.DateTimeField("reopened")
    was_finished_at = models.DateTimeField("had ended")
    was_score = models.PositiveSmallIntegerField(null=True)
    was_total = models.PositiveSmallIntegerField()

    class Meta:
        verbose_name = "reopened session"
        ordering: ClassVar[list[str]] = ["-made_at", "-id"]
        default_permissions = ("add", "view")

    def __str__(self) -> str:
        return f"{self.session_id} reopened at {self.made_at}"
