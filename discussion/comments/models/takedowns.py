"""Takedown requests, from anybody, with or without an account."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q

MAX_TEXT = 4000
"""As long as a comment: enough for a legal ground and a quotation, and answered in one mail."""
MAX_ADDRESS = 500
"""Longer than any address of this site, and people paste them with whatever a mail program added."""


class Ground(models.TextChoices):
    """Why something should be removed, according to the requester."""

    RIGHTS = "rights", "It uses a work or a name I hold the rights to"
    EXAM = "exam", "It contains real exam content"
    PERSONAL = "personal", "It reveals personal data about me"
    DEFAMES = "defames", "It says something false about me"
    OTHER = "other", "Something else"


class Outcome(models.TextChoices):
    """The outcome of a request."""

    REMOVED = "removed", "removed"
    PARTLY = "partly", "partly removed"
    KEPT = "kept", "not removed"


class Takedown(models.Model):
    """A request: what, why and whom to answer. Anyone with its URL can read the receipt and the answer."""

    token = models.UUIDField(
        default=uuid.uuid4, unique=True, editable=False, help_text="Part of its address; can't be guessed."
    )
    address = models.CharField(max_length=MAX_ADDRESS, help_text="Where it is.")
    ground = models.CharField(max_length=10, choices=Ground)
    text = models.TextField(max_length=MAX_TEXT)
    name = models.CharField(max_length=100, blank=True)
    email = models.EmailField()
    # Unique, so that pressing the button twice makes one request and shows its receipt again.
    fingerprint = models.CharField(max_length=64, unique=True, editable=False, help_text="Hash of person and text.")
    made_at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    answer = models.TextField(max_length=MAX_TEXT, blank=True, help_text="Emailed, and shown on the receipt.")
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                # An answer is final and mailed at once, so no row may be half answered.
                condition=Q(answered_at=None, outcome="") | (Q(answered_at__isnull=False) & ~Q(outcome="")),
                name="takedown_answered_or_open",
            ),
        ]
        indexes = [
            models.Index(fields=["made_at"], name="takedown_waiting", condition=Q(answered_at=None)),
            models.Index(fields=["answered_at"], name="takedown_answered"),
        ]

    def __str__(self) -> str:
        return f"request {self.pk} to take something down"
