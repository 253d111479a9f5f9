"""When the site was last up, its outages, and the time each session got back."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from practice.sessions.models import PracticeSession


class Heartbeat(models.Model):
    """One row: when a web process last reached the database. No row if no server has a heartbeat."""

    at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"served at {self.at}"


class Outage(models.Model):
    """A period in which nobody could answer: noticed by the server, or entered by staff."""

    began_at = models.DateTimeField("from")
    ended_at = models.DateTimeField("to")
    reason = models.CharField(max_length=200, blank=True, help_text="Shown to learners, after “unavailable”.")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, verbose_name="entered by"
    )
    made_at = models.DateTimeField("recorded")

    class Meta:
        ordering: ClassVar[list[str]] = ["-began_at", "-id"]
        default_permissions = ("add", "view")

    def __str__(self) -> str:
        return f"unavailable from {self.began_at:%Y-%m-%d %H:%M} to {self.ended_at:%H:%M}"

    @property
    def seconds(self) -> int:
        """How long it lasted."""
        return int((self.ended_at - self.began_at).total_seconds())


class TimeCredit(models.Model):
    """What a session got back for an outage, once for each outage."""

    session = models.ForeignKey(PracticeSession, models.CASCADE, related_name="credits", db_index=False)
    # A session's receipt lists each outage it got time for. If one could be deleted, nobody could explain the deadline.
    outage = models.ForeignKey(Outage, models.PROTECT, related_name="credits")
    seconds = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["at", "id"]
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            # The last guard: even if something runs twice, no deadline moves twice for one outage.
            models.UniqueConstraint(fields=["session", "outage"], name="time_credit_once")
        ]

    def __str__(self) -> str:
        return f"{self.seconds} s for {self.session_id}"
